/**
 * Screenings at 150 a second, end to end: a bundled compliance process on durable Postgres, with all lists of ../shared/lists (the
 * sandbox's without them). Requests are sent at their times, whether earlier ones were answered or not, and waiting counts. One in
 * twenty is of a listed name, and opens a case. The other side is the same requests as dry runs.
 */
import fs from 'node:fs';
import { loadConfig } from '@constancia/config';
import { Database } from '@constancia/persistence';
import { createLogger, Metrics } from '@constancia/telemetry';
import { Pool } from 'undici';
import { ComplianceConfig } from '../../apps/compliance/src/config.ts';
import { listPartsOf } from '../../apps/compliance/src/lists/list-parts.ts';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { AppProcess } from '../../libs/testing/src/app-process.ts';
import { freePort } from '../../libs/testing/src/cluster.ts';
import { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, testTenant } from '../../libs/testing/src/tenants.ts';
import { benchDatabase } from './bench-database.ts';
import { PUBLISHED } from './lists-corpus.ts';
import { median, report } from './measure.ts';
import { syntheticPeople } from './synthetic-people.ts';

const RATE = 150;
/** Of each round and side: 1,200 requests. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = 3;
/** That the app begins with: four of names, and the FATF's. */
const SANDBOX_LISTS = 5;
const LISTED = ['Aurelio Ficticio Ejemplar', 'Ernesto Ficticio Ejemplo', 'Al-Zawahiri Ayman', 'Nicolas Maduro Moros'];

const store = await benchDatabase([PLATFORM, COMPLIANCE]);
const tenant = await testTenant(store, { credits: 10_000_000 });
const [port, opsPort] = [await freePort(), await freePort()];
const environment = {
  SERVICE_ENVIRONMENT: 'sandbox',
  HOST: '127.0.0.1',
  PORT: String(port),
  OPS_PORT: String(opsPort),
  BASE_URL: 'http://bench.test',
  DATABASE_URL: store.app('compliance'),
  QUEUE_DATABASE_URL: store.queueUrl,
  SECRETS_KEY: TEST_SECRETS_KEY,
  QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
  RATE_LIMIT_TENANT: '1000000',
  RATE_LIMIT_IP: '1000000',
  LOG_LEVEL: 'info',
};
const app = new AppProcess('compliance', environment, `http://127.0.0.1:${opsPort}/readyz`, `/tmp/bench-${port}.log`);
const http = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });

async function call(method: 'GET' | 'POST', route: string, body?: object): Promise<{ status: number; body: unknown }> {
  const answer = await http.request({
    method,
    path: route,
    headers: { 'x-api-key': tenant.apiKey, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text) };
}

/** Imports the real lists, and waits until the app screens with them. */
async function importLists(): Promise<number> {
  const [logger, metrics] = [createLogger({ app: 'bench', level: 'error' }), new Metrics({ app: 'bench' })];
  const database = await Database.connect({ url: environment.DATABASE_URL, applicationName: 'bench', poolSize: 2 });
  const { imports } = listPartsOf(loadConfig(ComplianceConfig, environment), { database, logger, metrics });
  const entries = async () => {
    const { body } = await call('GET', '/v1/lists');
    return (body as { data: { entries: number }[] }).data.map((list) => list.entries);
  };
  while ((await entries()).length < SANDBOX_LISTS) await new Promise((resolve) => setTimeout(resolve, 200));
  for (const { list, path } of PUBLISHED)
    await imports.run({ list, tenantId: null, operator: 'bench', files: [{ path }], force: true });
  while (PUBLISHED.length > 0 && (await entries()).reduce((sum, count) => sum + count) < 10_000)
    await new Promise((resolve) => setTimeout(resolve, 200));
  await database.close();
  return (await entries()).reduce((sum, count) => sum + count);
}

let sent = 0;
const people = [...syntheticPeople(20_000, 11)];

function nextBody(): object {
  const nth = sent++;
  const { fullName, birthDate } = people[nth % people.length] as (typeof people)[number];
  const listed = nth % 20 === 0;
  return {
    subject_ref: `customer-${nth}`,
    subject_type: 'natural',
    payload: {
      full_name: listed ? LISTED[(nth / 20) % LISTED.length] : fullName,
      ...(!listed && { birth_date: birthDate }),
      document_type: 'CC',
      document_number: String(10_000_000 + (nth % 80_000_000)),
      country_code: 'CO',
      kyc_status: 'approved',
      amount: 1_500_000,
      currency: 'COP',
    },
  };
}

/** Processor time that the app has used, in ms (Linux); what it says does not depend on what else the machine does. */
function cpuMs(): number {
  const file = `/proc/${app.pid}/stat`;
  if (!fs.existsSync(file)) return 0;
  const fields = fs
    .readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

interface Latencies {
  /** Of the app, for each request. */
  cpu: number;
  p50: number;
  p99: number;
  max: number;
}

/** Sends at a fixed rate and answers the times from when each request was due to its answer, in ms. */
async function atRate(route: string, expected: number, seconds: number): Promise<Latencies> {
  const cpuBefore = cpuMs();
  const started = performance.now();
  const took: number[] = [];
  const running: Promise<void>[] = [];
  for (let nth = 0; nth < RATE * seconds; nth++) {
    const due = started + (nth * 1_000) / RATE;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    running.push(
      call('POST', route, nextBody()).then(({ status, body }) => {
        if (status !== expected) throw new Error(`${route} answered ${status}: ${JSON.stringify(body)}`);
        took.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(running);
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] as number;
  const cpu = (cpuMs() - cpuBefore) / took.length;
  return { cpu, p50: at(0.5), p99: at(0.99), max: at(1) };
}

try {
  await app.start();
  const entries = await importLists();
  const { body: draft } = await call('POST', '/v1/validations', {});
  const { id } = draft as { id: string };
  await call('POST', '/v1/rules/seed-defaults', { validation_id: id, subject_type: 'both' });
  await call('POST', `/v1/validations/${id}/publish`);
  await atRate('/v1/screenings', 201, 4);
  await atRate('/v1/screenings/dry-run', 200, 2);
  const [made, tried]: [Latencies[], Latencies[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    made.push(await atRate('/v1/screenings', 201, SECONDS));
    tried.push(await atRate('/v1/screenings/dry-run', 200, SECONDS));
  }
  const of = (all: Latencies[], figure: keyof Latencies) => median(all.map((each) => each[figure]));
  const shown = (all: Latencies[]) =>
    `p50 ${of(all, 'p50').toFixed(1)} ms, p99 ${of(all, 'p99').toFixed(1)} ms, max ${of(all, 'max').toFixed(0)} ms; ${of(all, 'cpu').toFixed(1)} ms of processor each`;
  const lists = `${entries.toLocaleString('en')} entries`;
  report([
    {
      name: `POST /v1/screenings, ${RATE}/s, ${lists}`,
      ours: shown(made),
      other: '–',
      ratio: null,
      goal: 'p99 ≤ 40 ms',
    },
    { name: `Dry run, ${RATE}/s, ${lists}`, ours: shown(tried), other: '–', ratio: null, goal: 'p99 ≤ 10 ms' },
  ]);
  console.error(
    `rounds, p99: ${made.map(({ p99 }) => p99.toFixed(1)).join(', ')}; dry ${tried.map(({ p99 }) => p99.toFixed(1)).join(', ')}`,
  );
} finally {
  await http.close();
  await app.end('SIGTERM');
  await store.drop();
}
process.exit(0);
