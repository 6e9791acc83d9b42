/**
 * A batch of screenings, from its first byte to the last stored result: a bundled compliance process on durable Postgres, with all lists of
 * ../shared/lists (the sandbox's without them). The other side is the same subjects as single requests, as fast as they are answered, in
 * the same run. Another tenant sends requests all the while: its p99 with the batch is compared with that without it.
 */
import { sleep } from '@constancia/kernel';
import pg from 'pg';
import { Pool } from 'undici';
import { grantCredits, signUp } from '../e2e/deployment.fixture.ts';
import { benchDeployment } from './bench-deployment.ts';
import { atRate, median, percentile, perSecond, report } from './measure.ts';
import { extraBytesOf } from './resident-bytes.ts';
import { importPublished, subjectBody } from './screened-subjects.ts';

const ROWS = Number(process.env.BENCH_ROWS ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** The most that a file may have. */
const MOST_ROWS = Number(process.env.BENCH_MOST_ROWS ?? 100_000);
const SINGLE_MS = 6_000;
const CALLERS = 32;
/** Of each kind of request of the other tenant, a second. */
const BESIDE = 20;

const deployment = await benchDeployment(['platform', 'compliance'], { durable: true });
const { stack, integrator } = deployment;
const http = new Pool(stack.complianceUrl, { connections: 64 });
const other = await signUp(stack);
await grantCredits(stack, other, 1_000_000);

type Caller = { apiKey: string };
interface Batch {
  id: string;
  status: string;
  processed: number;
}

async function call<Body>(
  { apiKey }: Caller,
  method: 'GET' | 'POST',
  path: string,
  body?: object | string,
): Promise<Body> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const answer = await http.request({
    method,
    path,
    headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': type }) },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text) as Body;
}

async function publish(caller: Caller): Promise<void> {
  const { id } = await call<{ id: string }>(caller, 'POST', '/v1/validations', {});
  await call(caller, 'POST', '/v1/rules/seed-defaults', { validation_id: id, subject_type: 'both' });
  await call(caller, 'POST', `/v1/validations/${id}/publish`);
}

let sent = 0;
const single = (caller: Caller) =>
  call<{ id: string }>(caller, 'POST', '/v1/screenings', subjectBody(sent++, 'single'));

/** Rows a second, of one batch. */
async function batch(rows = ROWS): Promise<number> {
  const first = sent;
  sent += rows;
  const lines = Array.from({ length: rows }, (_, nth) => JSON.stringify(subjectBody(first + nth, 'row'))).join('\n');
  const began = performance.now();
  const { id } = await call<Batch>(integrator, 'POST', '/v1/screening-batches', lines);
  const accepted = performance.now();
  for (;;) {
    const { status, processed } = await call<Batch>(integrator, 'GET', `/v1/screening-batches/${id}`);
    if (status === 'completed') {
      if (processed !== rows) throw new Error(`${processed} rows of ${rows}`);
      break;
    }
    if (status !== 'processing') throw new Error(`the batch is ${status}`);
    await sleep(500);
  }
  const ended = performance.now();
  console.error(`accepted in ${(accepted - began).toFixed(0)} ms, done after ${(ended - began).toFixed(0)} ms`);
  return (rows * 1_000) / (ended - began);
}

interface Beside {
  gets: number[];
  posts: number[];
}

/** Milliseconds of the other tenant's requests, for some seconds. */
async function beside(seconds: number): Promise<Beside> {
  const { id } = await single(other);
  const [gets, posts] = await Promise.all([
    atRate(BESIDE, BESIDE * seconds, () => call(other, 'GET', `/v1/screenings/${id}`)),
    atRate(BESIDE, BESIDE * seconds, () => single(other)),
  ]);
  return { gets, posts };
}

/** The same while batches are worked on. */
async function besideBatch(): Promise<Beside> {
  const under: Beside = { gets: [], posts: [] };
  let done = false;
  const working = batch().finally(() => (done = true));
  while (!done) {
    const { gets, posts } = await beside(2);
    under.gets.push(...gets);
    under.posts.push(...posts);
  }
  await working;
  return under;
}

async function analyze(): Promise<void> {
  const admin = new pg.Client({ connectionString: stack.cluster.adminUrl });
  await admin.connect();
  await admin.query('analyze');
  await admin.end();
}

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

try {
  const entries = await importPublished(deployment, http);
  for (const caller of [integrator, other]) await publish(caller);
  await perSecond(CALLERS, 2_000, () => single(integrator));
  await batch();
  await analyze(); // as the store does by itself within a minute: here all tables were empty until now
  const rates: { rows: number; singles: number }[] = [];
  const quiet: Beside[] = [];
  const busy: Beside[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rates.push({ singles: await perSecond(CALLERS, SINGLE_MS, () => single(integrator)), rows: await batch() });
    quiet.push(await beside(8));
    busy.push(await besideBatch());
  }
  const { pid } = stack.app('compliance');
  const some = await extraBytesOf(pid, () => batch());
  const most = await extraBytesOf(pid, () => batch(MOST_ROWS));
  const rows = median(rates.map((rate) => rate.rows));
  const singles = median(rates.map((rate) => rate.singles));
  const p99 = (all: Beside[], kind: keyof Beside) => median(all.map((each) => percentile(each[kind], 0.99)));
  const compared = (kind: keyof Beside, name: string) => ({
    name: `${name} of another tenant, ${BESIDE}/s, p99 while a batch is worked on`,
    ours: `${p99(busy, kind).toFixed(1)} ms`,
    other: `without: ${p99(quiet, kind).toFixed(1)} ms`,
    ratio: p99(busy, kind) / p99(quiet, kind),
    goal: '≤ 2',
  });
  report([
    {
      name: `Batch of ${ROWS.toLocaleString('en')} rows, results stored, ${entries.toLocaleString('en')} entries`,
      ours: `${rows.toFixed(0)} rows/s`,
      other: `single requests, ${CALLERS} at a time: ${singles.toFixed(0)}/s`,
      ratio: median(rates.map((rate) => rate.rows / rate.singles)),
      goal: '≥ 1,000 rows/s',
    },
    compared('gets', 'GET /v1/screenings/{id}'),
    compared('posts', 'POST /v1/screenings'),
    {
      name: `Memory that a batch of ${MOST_ROWS.toLocaleString('en')} rows adds to compliance, at most`,
      ours: `${megabytes(most.extraBytes)} MB (${most.result.toFixed(0)} rows/s)`,
      other: `a batch of ${ROWS.toLocaleString('en')}: ${megabytes(some.extraBytes)} MB`,
      ratio: null,
      goal: '≤ 128 MB',
    },
  ]);
} finally {
  await http.close();
  await stack.close();
}
process.exit(0);
