/**
 * What tracing costs: the same bundled platform and compliance processes, once without and once with an OTLP collector on loopback
 * (that takes and forgets, in a process of its own), in turns. One caller after the other at a fixed rate, so that both sides do the same
 * work: CPU of the process per request (from /proc, the SDK's export included), and how long an answer takes.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import pg from 'pg';
import { Pool } from 'undici';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { AppProcess } from '../../libs/testing/src/app-process.ts';
import { freePort, prepareDatabase, startCluster, TEST_PASSWORD } from '../../libs/testing/src/cluster.ts';
import { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, testTenant } from '../../libs/testing/src/tenants.ts';
import type { TestDatabase } from '../../libs/testing/src/test-database.ts';
import { startDevKms } from '../local/dev-kms.mjs';
import { median, report } from './measure.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 600);
const PER_SECOND = 150;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-telemetry-'));
const kms = await startDevKms({ dir: path.join(folder, 'kms') });
const cluster = await startCluster({ durable: true });
await prepareDatabase(cluster.adminUrl, [PLATFORM, IDENTITY, COMPLIANCE], migrateQueue);
const admin = new pg.Pool({ connectionString: cluster.adminUrl, max: 2 });
const store = {
  query: async (sql: string, params: unknown[] = []) => (await admin.query(sql, params)).rows,
} as unknown as TestDatabase;
const tenant = await testTenant(store, { credits: 10_000_000 });
const collectorPort = await freePort();
const collector = spawn(process.execPath, [
  '-e',
  `require('node:http').createServer((q, s) => q.resume().on('end', () => s.end('{}'))).listen(${collectorPort}, '127.0.0.1')`,
]);
const role = (name: string) => urlFor(cluster.adminUrl, name, TEST_PASSWORD);

type App = 'platform' | 'compliance';

async function processOf(app: App, traced: boolean): Promise<{ process: AppProcess; http: Pool }> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const environment = {
    SERVICE_ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    PORT: String(port),
    OPS_PORT: String(opsPort),
    BASE_URL: 'http://bench.test',
    DATABASE_URL: role(`${app}_app`),
    IDENTITY_DATABASE_URL: role('identity_app'),
    QUEUE_DATABASE_URL: role('queue_app'),
    SECRETS_KEY: TEST_SECRETS_KEY,
    QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
    KMS_ENDPOINT: kms.url,
    DATA_KEY_ID: 'alias/constancia-data',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'development',
    AWS_SECRET_ACCESS_KEY: 'development',
    STORAGE_DIR: path.join(folder, 'objects'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@constancia.example',
    RATE_LIMIT_TENANT: '1000000',
    RATE_LIMIT_IP: '1000000',
    LOG_LEVEL: 'info',
    ...(traced && { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}` }),
  };
  const log = path.join(folder, `${app}-${traced}.log`);
  const started = new AppProcess(app, environment, `http://127.0.0.1:${opsPort}/readyz`, log);
  await started.start();
  return { process: started, http: new Pool(`http://127.0.0.1:${port}`, { connections: 16 }) };
}

/** Microseconds on a CPU so far, of all threads of a process. */
const cpuMicros = (pid: number): number =>
  fs
    .readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e3)
    .reduce((sum, each) => sum + each, 0);

interface Measured {
  cpu: number;
  p50: number;
  p99: number;
}

interface Route {
  name: string;
  app: App;
  send(http: Pool, nth: number): Promise<number>;
}

let screened = 0;
const ROUTES: Route[] = [
  {
    name: 'GET /v1/billing/balance',
    app: 'platform',
    send: async (http) => {
      const answer = await http.request({ method: 'GET', path: '/v1/billing/balance', headers: headers() });
      await answer.body.dump();
      return answer.statusCode;
    },
  },
  {
    name: 'POST /v1/screenings',
    app: 'compliance',
    send: async (http) => {
      const body = {
        subject_ref: `customer-${screened++}`,
        subject_type: 'natural',
        payload: {
          full_name: `Persona Número ${screened}`,
          document_type: 'CC',
          document_number: '71938264',
          country_code: 'CO',
        },
      };
      const answer = await http.request({
        method: 'POST',
        path: '/v1/screenings',
        headers: { ...headers(), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await answer.body.dump();
      return answer.statusCode;
    },
  },
];

const headers = () => ({ 'x-api-key': tenant.apiKey });

async function measured({ process: app, http }: { process: AppProcess; http: Pool }, route: Route): Promise<Measured> {
  const cpu = cpuMicros(app.pid);
  const began = performance.now();
  const times = await Promise.all(
    Array.from({ length: REQUESTS }, async (_, nth) => {
      const due = began + (nth * 1000) / PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      const sent = performance.now();
      const status = await route.send(http, nth);
      if (status >= 300) throw new Error(`${route.name} answered ${status}`);
      return performance.now() - sent;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // the last batch of spans is part of the cost
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] as number;
  return { cpu: (cpuMicros(app.pid) - cpu) / REQUESTS, p50: at(0.5), p99: at(0.99) };
}

const told = ({ cpu, p50, p99 }: Measured) =>
  `${Math.round(cpu)} µs CPU, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

const middle = (all: Measured[]): Measured => ({
  cpu: median(all.map(({ cpu }) => cpu)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
});

async function publishDefault(http: Pool): Promise<void> {
  const json = { ...headers(), 'content-type': 'application/json' };
  const post = async (route: string, body: object = {}) => {
    const answer = await http.request({ method: 'POST', path: route, headers: json, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${route} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as { id: string };
  };
  const { id } = await post('/v1/validations', { code: 'default', name: 'Bench' });
  await post('/v1/rules/seed-defaults', { validation_id: id, subject_type: 'both' });
  await post(`/v1/validations/${id}/publish`);
}

const rows = [];
const running: { process: AppProcess; http: Pool }[] = [];
try {
  for (const route of ROUTES) {
    const [off, on] = [await processOf(route.app, false), await processOf(route.app, true)];
    running.push(off, on);
    if (route.app === 'compliance') await publishDefault(off.http);
    for (const side of [off, on]) await measured(side, route); // warm
    const [without, withIt]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const turns = round % 2 === 0 ? [off, on] : [on, off];
      for (const side of turns) (side === off ? without : withIt).push(await measured(side, route));
    }
    const ratios = withIt.map(({ cpu }, round) => cpu / (without[round] as Measured).cpu);
    rows.push({
      name: `${route.name}, ${PER_SECOND} a second: traced against not traced (ratio of CPU)`,
      ours: told(middle(withIt)),
      other: told(middle(without)),
      ratio: median(ratios),
      goal: '≤ 1.50',
    });
    for (const side of [off, on]) await side.process.end('SIGTERM');
  }
  report(rows);
} finally {
  for (const { process: app, http } of running) {
    await app.end('SIGKILL');
    await http.close();
  }
  collector.kill();
  await admin.end();
  await kms.close();
  await cluster.remove();
  fs.rmSync(folder, { recursive: true, force: true });
}
