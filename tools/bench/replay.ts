/**
 * 10,000 failed deliveries of 50 tenants, replayed by one command of an operator: how long its dry run takes, how much of their
 * rate live deliveries keep meanwhile, and how long the whole run takes beside a steady load.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { endpointIdOf, eventRecord, hintDeliveries } from '@constancia/events';
import { SecretBox, sleep, uuidv7 } from '@constancia/kernel';
import { Database, urlFor } from '@constancia/persistence';
import { migrateQueue, Queues } from '@constancia/queue';
import { createLogger, Metrics, opsServer } from '@constancia/telemetry';
import pg from 'pg';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { platformActions } from '../../apps/platform/src/ops/platform-actions.ts';
import { startDispatcher } from '../../apps/webhook-dispatcher/src/app.ts';
import { DispatcherConfig } from '../../apps/webhook-dispatcher/src/config.ts';
import { prepareDatabase, startCluster, TEST_PASSWORD } from '../../libs/testing/src/cluster.ts';
import { type BenchRow, compare, median, report } from './measure.ts';

const TENANTS = 50;
const FAILED = 10_000;
const LIVE = 4_000;
const ROUNDS = 5;
const DRY_RUNS = 15;
/** Live events a second beside the whole run. */
const STEADY = 200;
const NOTE = 'x'.repeat(600);

const counter = new Int32Array(new SharedArrayBuffer(8));
/** What was answered on /live (0) and on /again (1). */
const answered = (nth: 0 | 1) => Atomics.load(counter, nth);
const receiver = new Worker(
  `const http = require('node:http');
   const { parentPort, workerData: counter } = require('node:worker_threads');
   const answer = (request, response) => {
     request.resume().on('end', () => {
       Atomics.add(counter, request.url === '/live' ? 0 : 1, 1);
       response.writeHead(204).end();
     });
   };
   const server = http.createServer({ keepAliveTimeout: 60_000 }, answer);
   server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
  { eval: true, workerData: counter },
);
const [port] = (await once(receiver, 'message')) as [number];

const cluster = await startCluster({ durable: true });
await prepareDatabase(cluster.adminUrl, [PLATFORM, IDENTITY], migrateQueue);
const admin = new pg.Pool({ connectionString: cluster.adminUrl, max: 4 });
admin.on('error', () => undefined);
const key = Buffer.alloc(32, 3).toString('base64');
const config = Object.assign(new DispatcherConfig(), {
  environment: 'sandbox',
  drainSeconds: 25,
  databaseUrl: urlFor(cluster.adminUrl, 'platform_app', TEST_PASSWORD),
  databasePoolSize: 10,
  queueDatabaseUrl: urlFor(cluster.adminUrl, 'queue_app', TEST_PASSWORD),
  secretsKey: key,
  queueSealingKey: key,
  webhookAllowLoopback: true,
  webhookPorts: ['443'],
  retentionDays: 30,
  replayRate: 100,
} satisfies Partial<DispatcherConfig>);
const logger = createLogger({ app: 'bench', level: 'silent' });
const secrets = SecretBox.fromText(key);
const queues = new Queues({ app: 'platform', databaseUrl: config.queueDatabaseUrl, sealingKey: secrets, logger });
const database = await Database.connect({ url: config.databaseUrl, applicationName: 'platform' });
const identity = await Database.connect({
  url: urlFor(cluster.adminUrl, 'identity_app', TEST_PASSWORD),
  applicationName: 'identity',
});
const token = 'a-token-of-at-least-32-characters!';
const ops = await opsServer({
  port: 0,
  readiness: {},
  metrics: new Metrics({ app: 'bench' }),
  actions: platformActions({ database, identity, queues, secrets, environment: 'sandbox' }),
  token,
});

interface Run {
  id: string;
  status: string;
  matched: number;
  replayed: number;
}

async function operate(method: string, path: string, body?: object): Promise<Run> {
  const response = await fetch(`http://127.0.0.1:${ops.port}/ops${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Run;
}

async function makeTenant(path: string): Promise<string> {
  const id = uuidv7();
  await admin.query(
    `insert into platform.tenant (id, slug, display_name, owner_email, plan, environment, webhook_secret)
     values ($1, $2, 'x', 'x@example.com', 'sandbox', 'sandbox', $3)`,
    [id, `t${id.replaceAll('-', '')}`, secrets.seal(`whsec_${key}`, `webhook_secret:${id}`)],
  );
  await admin.query(`insert into platform.webhook_endpoint (id, tenant_id, module, url) values ($1, $2, 'seal', $3)`, [
    endpointIdOf(id, 'seal'),
    id,
    `http://127.0.0.1:${port}/${path}`,
  ]);
  return id;
}

/** Events for these tenants in turn; `state` is what their deliveries are set to in the same transaction. */
async function emit(tenants: string[], count: number, state?: string): Promise<void> {
  for (let done = 0; done < count; done += 1_000) {
    const records = Array.from({ length: Math.min(1_000, count - done) }, (_, nth) =>
      eventRecord({
        tenantId: tenants[nth % tenants.length] as string,
        module: 'seal',
        type: 'seal.signature.completed',
        payload: { request_id: `sig_${nth}`, note: NOTE },
      }),
    );
    const client = await admin.connect();
    await client.query('begin');
    await client.query('select platform_v1.emit_events($1)', [JSON.stringify(records)]);
    if (state) await client.query(`update platform.delivery set ${state} where created_at = now()`);
    await client.query('commit');
    client.release();
  }
}

const live: string[] = [];
const again: string[] = [];
for (let nth = 0; nth < TENANTS; nth++) {
  live.push(await makeTenant('live'));
  again.push(await makeTenant('again'));
}
const hints = live.map((tenant) => ({ tenant_id: tenant, module: 'seal' as const }));

/** As many as can be, all let go together. */
async function livePerSecond(): Promise<number> {
  await emit(live, LIVE, "next_attempt_at = 'infinity'");
  await admin.query("update platform.delivery set next_attempt_at = now() where next_attempt_at = 'infinity'");
  hintDeliveries(queues, hints);
  const started = performance.now();
  const target = answered(0) + LIVE;
  while (answered(0) < target) await sleep(5);
  return LIVE / ((performance.now() - started) / 1_000);
}

const FAILED_STATE = "status = 'failed', next_attempt_at = null, failed_at = now(), attempts = 12, schedule_step = 12";

const rows: BenchRow[] = [];
await emit(again, FAILED, FAILED_STATE);
await admin.query('vacuum analyze platform.delivery');
const filter = { all_tenants: true, reason: 'bench', max: FAILED };
const dryMs: number[] = [];
for (let nth = 0; nth < DRY_RUNS; nth++) {
  const started = performance.now();
  const { matched } = await operate('POST', '/replays', { ...filter, dry_run: true });
  if (matched !== FAILED) throw new Error(`${matched} matched`);
  dryMs.push(performance.now() - started);
}
rows.push({
  name: `Dry run of a replay across all tenants, ${FAILED} failed deliveries, through the ops port`,
  ours: `p50 ${median(dryMs).toFixed(0)} ms, longest ${Math.max(...dryMs).toFixed(0)} ms`,
  other: '–',
  ratio: null,
  goal: '< 1 s',
});

const dispatcher = await startDispatcher(config, logger);
await livePerSecond(); // warms up
const run = await operate('POST', '/replays', filter);
await operate('POST', `/replays/${run.id}/cancel`);
const compared = await compare(
  ROUNDS,
  async () => {
    await operate('POST', `/replays/${run.id}/resume`);
    const before = answered(1);
    const rate = await livePerSecond();
    if (answered(1) === before) throw new Error('nothing was replayed meanwhile');
    await operate('POST', `/replays/${run.id}/cancel`);
    await sleep(500);
    return rate;
  },
  livePerSecond,
);
const { replayed } = await operate('GET', `/replays/${run.id}`);
rows.push({
  name: `Live deliveries, ${TENANTS} endpoints, as many as can be, while a replay runs at its default rate (100/s)`,
  ours: `${Math.round(compared.ours)}/s; ${replayed} replayed meanwhile`,
  other: `without it ${Math.round(compared.other)}/s`,
  ratio: compared.ratio,
  goal: '≥ 0.9',
});

/** A steady load of live events until `until` says that it is enough; answers how many were delivered per second. */
async function steadily(until: () => boolean): Promise<number> {
  const before = answered(0);
  const started = performance.now();
  for (let sent = 0; !until(); sent += STEADY / 10) {
    await emit(live, STEADY / 10);
    hintDeliveries(queues, hints);
    await sleep(Math.max(0, started + ((sent + STEADY / 10) / STEADY) * 1_000 - performance.now()));
  }
  return (answered(0) - before) / ((performance.now() - started) / 1_000);
}

// As many failed ones as at first, for the whole run.
await emit(again, replayed, FAILED_STATE);
const alone = performance.now();
const without = await steadily(() => performance.now() - alone > 10_000);
const base = answered(1);
const began = performance.now();
const whole = await operate('POST', '/replays', filter);
const during = await steadily(() => answered(1) >= base + FAILED);
const seconds = (performance.now() - began) / 1_000;
const ended = await operate('GET', `/replays/${whole.id}`);
if (ended.status !== 'completed' || ended.replayed !== FAILED) throw new Error(JSON.stringify(ended));
rows.push({
  name: `${FAILED} failed deliveries replayed by one command at the default rate, beside ${STEADY} live events a second`,
  ours: `all delivered after ${seconds.toFixed(1)} s; live ${Math.round(during)}/s`,
  other: `live without it ${Math.round(without)}/s`,
  ratio: during / without,
  goal: '≥ 0.9',
});

report(rows);
await dispatcher.close();
await ops.close();
await Promise.all([database.close(), identity.close(), queues.close()]);
await admin.end();
await cluster.remove();
await receiver.terminate();
process.exit(0);
