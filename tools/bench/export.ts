/**
 * 1,000,000 cases as CSV through the compliance app, a process of its own: rows per second to a client that only takes them, and
 * what the process needs beyond its resting memory; then the same to a client that reads every cell strictly.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { parse } from 'csv-parse';
import pg from 'pg';
import { manyCases } from '../../apps/compliance/src/cases/many-cases.fixture.ts';
import { NO_LIMITS, signUp, startDeployment } from '../e2e/deployment.fixture.ts';
import { report } from './measure.ts';
import { extraBytesOf } from './resident-bytes.ts';

const CASES = 1_000_000;
/** A process that has exported so many has a heap of working size: what comes on top is what the million needs. */
const WARM_UP = 20_000;
const MB = 1024 * 1024;
/** What a spreadsheet would run. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/u;
/** Columns that hold numbers. */
const NUMERIC = new Set([12, 15, 24]);

const stack = await startDeployment({ env: { ...NO_LIMITS, LOG_LEVEL: 'warn' }, apps: ['platform', 'compliance'] });
const integrator = await signUp(stack);
const admin = new pg.Client({ connectionString: stack.cluster.adminUrl });
await admin.connect();

/** Fills the table without the indexes that neither an export nor the sweeps read. */
async function fill(): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
      where indrelid = 'compliance.review_case'::regclass and not indisprimary
        and indexrelid::regclass::text !~ 'opened|due|unanchored'`,
  );
  for (const { name } of rows) await admin.query(`drop index ${name}`);
  await manyCases(admin, integrator.tenantId, { count: CASES });
  await admin.query('vacuum analyze compliance.review_case');
}

async function exported(query = ''): Promise<Readable> {
  const response = await fetch(`${stack.complianceUrl}/v1/cases/export?${query}`, {
    headers: { 'X-API-Key': integrator.apiKey },
  });
  if (response.status !== 200) throw new Error(`export answered ${response.status}: ${await response.text()}`);
  return Readable.fromWeb(response.body as ReadableStream);
}

/** Runs an export to its end; answers seconds and the most memory that it took beyond what the process had before. */
async function measured(
  take: (body: Readable) => Promise<void>,
  query = '',
): Promise<{ seconds: number; extraBytes: number }> {
  const started = performance.now();
  const { result: seconds, extraBytes } = await extraBytesOf(stack.app('compliance').pid, async () => {
    await take(await exported(query));
    return (performance.now() - started) / 1000;
  });
  return { seconds, extraBytes };
}

let bytes = 0;
async function drained(body: Readable): Promise<void> {
  body.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(body, 'end');
}

let rows = 0;
let formulas = 0;
async function read(body: Readable): Promise<void> {
  const parser = body.pipe(parse({ record_delimiter: '\r\n', relax_quotes: false, from: 2 }));
  for await (const record of parser as AsyncIterable<string[]>) {
    rows += 1;
    if (record.some((cell, column) => !NUMERIC.has(column) && FORMULA.test(cell))) formulas += 1;
  }
}

await fill();
const lately = new Date(Date.now() - WARM_UP * 1000).toISOString();
const cold = await measured(drained, `from=${lately}`);
bytes = 0;
const plain = await measured(drained);
const strict = await measured(read);
await admin.end();
await stack.close();
if (rows !== CASES || formulas > 0) throw new Error(`${rows} rows were read, ${formulas} of them with a formula`);

const extra = (size: number): string => `${Math.round(size / MB)} MB`;
report([
  {
    name: `Export of ${CASES.toLocaleString('en')} cases (${Math.round(bytes / MB)} MB)`,
    ours: `${Math.round(CASES / plain.seconds).toLocaleString('en')} rows/s`,
    other: '–',
    ratio: null,
    goal: '–',
  },
  {
    name: `Memory that the first ${WARM_UP.toLocaleString('en')} cases add to a process just started`,
    ours: extra(cold.extraBytes),
    other: '–',
    ratio: null,
    goal: '–',
  },
  {
    name: 'Memory that all of them add to that, fast client',
    ours: extra(plain.extraBytes),
    other: '–',
    ratio: null,
    goal: '≤ 64 MB',
  },
  {
    name: 'The same, client that parses every cell',
    ours: extra(strict.extraBytes),
    other: '–',
    ratio: null,
    goal: '≤ 64 MB',
  },
  {
    name: 'Cells that a strict reader finds and a spreadsheet would run',
    ours: `${formulas} in ${rows.toLocaleString('en')} rows`,
    other: '–',
    ratio: null,
    goal: '0',
  },
]);
process.exit(0);
