/**
 * Webhook deliveries per second, signed and durably recorded, against a raw undici POST loop that signs too, to the same
 * receivers with as many requests in flight; and how much of their rate 50 healthy endpoints keep while a dead one has 2,000
 * events waiting.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { endpointIdOf, eventRecord, hintDeliveries, signDelivery } from '@constancia/events';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { urlFor } from '@constancia/persistence';
import { migrateQueue, Queues } from '@constancia/queue';
import { createLogger } from '@constancia/telemetry';
import pg from 'pg';
import { Agent, request } from 'undici';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { startDispatcher } from '../../apps/webhook-dispatcher/src/app.ts';
import { DispatcherConfig } from '../../apps/webhook-dispatcher/src/config.ts';
import { prepareDatabase, startCluster, TEST_PASSWORD } from '../../libs/testing/src/cluster.ts';
import { type BenchRow, compare, report } from './measure.ts';

const ENDPOINTS = 50;
const EVENTS = 12_000;
const DEAD_EVENTS = 2_000;
/** Per endpoint, as the dispatcher has it. */
const IN_FLIGHT = 8;
const ROUNDS = 7;
const NOTE = 'x'.repeat(600);

/** A receiver per endpoint, all in a thread of their own: 204 on /ok, counted; nothing at all on /dead. */
const counter = new Int32Array(new SharedArrayBuffer(4));
const answered = () => Atomics.load(counter, 0);
const receiver = new Worker(
  `const http = require('node:http');
   const { parentPort, workerData: counter } = require('node:worker_threads');
   const answer = (request, response) => {
     request.resume().on('end', () => {
       if (request.url === '/dead') return;
       Atomics.add(counter, 0, 1);
       response.writeHead(204).end();
     });
   };
   const servers = Array.from({ length: ${ENDPOINTS} }, () => http.createServer({ keepAliveTimeout: 60_000 }, answer));
   const listening = servers.map((server) => new Promise((done) => server.listen(0, '127.0.0.1', done)));
   Promise.all(listening).then(() => parentPort.postMessage(servers.map((server) => server.address().port)));`,
  { eval: true, workerData: counter },
);
const [ports] = (await once(receiver, 'message')) as [number[]];
const origins = ports.map((port) => `http://127.0.0.1:${port}`);

const cluster = await startCluster({ durable: true });
await prepareDatabase(cluster.adminUrl, [PLATFORM], migrateQueue);
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

/** As the emitting apps have one. */
const logger = createLogger({ app: 'bench', level: 'silent' });
const queues = new Queues({
  app: 'platform',
  databaseUrl: config.queueDatabaseUrl,
  sealingKey: SecretBox.fromText(key),
  logger,
});

async function makeTenant(url: string): Promise<string> {
  const id = uuidv7();
  const sealed = SecretBox.fromText(key).seal(`whsec_${key}`, `webhook_secret:${id}`);
  await admin.query(
    `insert into platform.tenant (id, slug, display_name, owner_email, plan, environment, webhook_secret)
     values ($1, $2, 'x', 'x@example.com', 'sandbox', 'sandbox', $3)`,
    [id, `t${id.replaceAll('-', '')}`, sealed],
  );
  await admin.query(`insert into platform.webhook_endpoint (id, tenant_id, module, url) values ($1, $2, 'seal', $3)`, [
    endpointIdOf(id, 'seal'),
    id,
    url,
  ]);
  return id;
}

/** Events for these tenants in turn; their deliveries stay out of line until they are let go together. */
async function emit(tenants: string[], count: number): Promise<void> {
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
    await client.query("update platform.delivery set next_attempt_at = 'infinity' where created_at = now()");
    await client.query('commit');
    client.release();
  }
}

const openOf = async (tenants: string[]): Promise<number> => {
  const { rows } = await admin.query(
    'select count(*)::int as open from platform.delivery where next_attempt_at is not null and endpoint_id = any ($1)',
    [tenants.map((tenant) => endpointIdOf(tenant, 'seal'))],
  );
  return (rows[0] as { open: number }).open;
};

/** Lets what waits go and waits until all of it is delivered; answers deliveries per second. */
async function deliveredPerSecond(tenants: string[]): Promise<number> {
  await emit(tenants, EVENTS);
  await admin.query('vacuum analyze platform.delivery');
  const ids = tenants.map((tenant) => endpointIdOf(tenant, 'seal'));
  await admin.query(
    `update platform.delivery set next_attempt_at = now() where next_attempt_at = 'infinity' and endpoint_id = any ($1)`,
    [ids],
  );
  hintDeliveries(
    queues,
    tenants.map((tenant) => ({ tenant_id: tenant, module: 'seal' })),
  );
  const started = performance.now();
  const target = answered() + EVENTS;
  while (answered() < target) await new Promise((resolve) => setTimeout(resolve, 5));
  while ((await openOf(tenants)) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return EVENTS / ((performance.now() - started) / 1_000);
}

async function rawPerSecond(): Promise<number> {
  const agent = new Agent({ pipelining: 1 });
  const body = eventRecord({
    tenantId: uuidv7(),
    module: 'seal',
    type: 'seal.signature.completed',
    payload: { request_id: 'sig_1', note: NOTE },
  }).body;
  const signing = { secret: `whsec_${key}`, eventId: uuidv7(), timestampSeconds: Math.floor(Date.now() / 1_000) };
  let left = EVENTS;
  const started = performance.now();
  const loop = async (_: unknown, nth: number) => {
    const url = `${origins[nth % ENDPOINTS]}/ok`;
    while (left-- > 0) {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signDelivery(body, signing) },
        body,
        dispatcher: agent,
      });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: ENDPOINTS * IN_FLIGHT }, loop));
  const rate = EVENTS / ((performance.now() - started) / 1_000);
  await agent.close();
  return rate;
}

const healthy: string[] = [];
for (const origin of origins) healthy.push(await makeTenant(`${origin}/ok`));

async function withDispatcher<T>(work: () => Promise<T>): Promise<T> {
  const dispatcher = await startDispatcher(config, logger);
  try {
    return await work();
  } finally {
    await dispatcher.close();
  }
}

const rows: BenchRow[] = [];
await withDispatcher(async () => {
  await deliveredPerSecond(healthy); // warms up
  const raw = await compare(ROUNDS, () => deliveredPerSecond(healthy), rawPerSecond);
  rows.push({
    name: `Webhook deliveries, ${ENDPOINTS} endpoints, both signatures, recorded in Postgres`,
    ours: `${Math.round(raw.ours)}/s`,
    other: `raw undici POST loop, signing too, as many in flight: ${Math.round(raw.other)}/s`,
    ratio: raw.ratio,
    goal: '≥ 0.6',
  });
});

await withDispatcher(async () => {
  await deliveredPerSecond(healthy);
  const isolated = await compare(
    ROUNDS,
    () => besideWaiting('now()'),
    () => besideWaiting("'infinity'"),
  );
  rows.push({
    name: `${ENDPOINTS} healthy endpoints beside a dead one with ${DEAD_EVENTS} events waiting`,
    ours: `${Math.round(isolated.ours)}/s`,
    other: `without it ${Math.round(isolated.other)}/s`,
    ratio: isolated.ratio,
    goal: '≥ 0.9',
  });
});

/** Both sides store the same 2,000 events beside the healthy ones' work; on one side their receiver is there and never answers. */
async function besideWaiting(due: 'now()' | "'infinity'"): Promise<number> {
  const dead = await makeTenant(`${origins[0]}/dead`);
  await emit([dead], DEAD_EVENTS);
  await admin.query(`update platform.delivery set next_attempt_at = ${due} where endpoint_id = $1`, [
    endpointIdOf(dead, 'seal'),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const rate = await deliveredPerSecond(healthy);
  await admin.query('delete from platform.delivery where endpoint_id = $1', [endpointIdOf(dead, 'seal')]);
  return rate;
}

report(rows);
await queues.close();
await admin.end();
await cluster.remove();
await receiver.terminate();
process.exit(0);
