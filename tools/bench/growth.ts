/**
 * Cost as history grows, on two deployments side by side: in one a tenant has 3,000 rows in each table, in the other one GROWTH_ROWS
 * (3,000,000), beside another with a quarter of that. Every operation runs for both in turn, so that whatever else the machine does
 * falls on both; the ratio of both. What is read from a page, a filter, a sweep or a claim should cost the same; what must read
 * everything has no goal. Lastly the start of each app, and the bytes of a row with its indexes.
 */
import { randomBytes } from 'node:crypto';
import { eventually, type TestStack } from '@constancia/testing';
import type { TestDatabase } from '@constancia/testing/test-database';
import pg from 'pg';
import { grantCredits, NO_LIMITS, startDeployment } from '../e2e/deployment.fixture.ts';
import { FILLED, grow, type Grown, tenantToGrow } from './growth-history.ts';
import { type Operations, operationsOf, READS_ALL } from './growth-operations.ts';
import { type BenchRow, percentile, report } from './measure.ts';

const FEW = 3_000;
const MANY = Number(process.env.GROWTH_ROWS ?? 3_000_000);
const WARM_UPS = 10;
/** How often an operation runs for both, unless that takes too long. */
interface Effort {
  requests: number;
  longMs: number;
}
const FIRST: Effort = { requests: 500, longMs: 4_000 };
/** For what seems to grow: of few requests the slowest hundredth is chance. What is found then is what counts. */
const AGAIN: Effort = { requests: 2_000, longMs: 40_000 };
const STARTS = Number(process.env.GROWTH_STARTS ?? 3);
const GOAL = 1.2;
const NO_GOAL = '–';
const APPS = ['platform', 'compliance', 'signing'] as const;

/** One of the two deployments, with its tenant. */
interface Side {
  stack: TestStack;
  admin: pg.Client;
  store: TestDatabase;
  grown: Grown;
  operations: Operations;
}

const open: Side[] = [];

async function openSide(): Promise<Side> {
  const opsToken = randomBytes(32).toString('hex');
  const stack = await startDeployment({
    env: { ...NO_LIMITS, RATE_LIMIT_TENANT_TOTAL: '1000000', LOG_LEVEL: 'warn', OPS_TOKEN: opsToken },
    apps: APPS,
  });
  const admin = new pg.Client({ connectionString: stack.cluster.adminUrl });
  await admin.connect();
  const store = {
    query: async <Row>(sql: string, params: unknown[] = []) => (await admin.query(sql, params)).rows as Row[],
  } as TestDatabase;
  const grown = await tenantWithCredits(stack);
  const side = { stack, admin, store, grown, operations: operationsOf(stack, grown, store, opsToken) };
  open.push(side);
  return side;
}

async function tenantWithCredits(stack: TestStack): Promise<Grown> {
  const grown = await tenantToGrow(stack);
  await grantCredits(stack, grown.integrator, 10_000_000);
  return grown;
}

/** A history of monitored subjects is screened again once: the process that does it would be slower than the other one meanwhile. */
const untilScreenedAgain = (store: TestDatabase): Promise<void> =>
  eventually(async () => {
    const [row] = await store.query<{ jobs: number }>(
      `select count(*)::int as jobs from compliance.rescreen_job where status <> 'done'`,
    );
    if (row?.jobs !== 0) throw new Error(`${row?.jobs} jobs of monitoring are not done`);
  }, 900_000);

async function timed(name: string, { operations }: Side): Promise<{ ms: number; failed: boolean }> {
  const sent = performance.now();
  try {
    const own = await operations[name]?.();
    return { ms: own ?? performance.now() - sent, failed: false };
  } catch (error) {
    console.log(`FAILED: ${name}: ${String(error)}`);
    return { ms: performance.now() - sent, failed: true };
  }
}

type Times = [few: number[], many: number[]];

/** With the ratio of the 99th percentiles; that of the medians stands in the table. */
type GrowthRow = BenchRow & { p99: number };

/**
 * Milliseconds of an operation on both sides, which take turns in being first. One that fails, for example because it takes too long, is
 * not repeated: it counts with the time until then.
 */
async function timesOf(name: string, sides: readonly [Side, Side], { requests, longMs }: Effort): Promise<Times> {
  const times: Times = [[], []];
  const began = performance.now();
  for (let nth = -WARM_UPS; nth < requests; nth++) {
    let anyFailed = false;
    for (const which of nth % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { ms, failed } = await timed(name, sides[which]);
      times[which].push(ms);
      anyFailed ||= failed;
    }
    if (anyFailed) return times;
    if (performance.now() - began > longMs && nth >= 4) break;
  }
  return [times[0].slice(WARM_UPS), times[1].slice(WARM_UPS)];
}

const ratioAt = (share: number, [few, many]: Times): number => percentile(many, share) / percentile(few, share);

async function measured(name: string, sides: readonly [Side, Side]): Promise<Times> {
  const times = await timesOf(name, sides, FIRST);
  const grows = !READS_ALL.has(name) && [0.5, 0.99].some((share) => ratioAt(share, times) > GOAL);
  return grows ? timesOf(name, sides, AGAIN) : times;
}

async function start({ stack }: Side, name: (typeof APPS)[number]): Promise<number> {
  const app = stack.app(name);
  await app.end();
  const began = performance.now();
  await app.start();
  return performance.now() - began;
}

function compared(name: string, times: Times): GrowthRow {
  const [few, many] = times;
  const shown = (values: number[]) => `p50 ${ms1(percentile(values, 0.5))}, p99 ${ms1(percentile(values, 0.99))} ms`;
  const goal = READS_ALL.has(name) ? NO_GOAL : `≤ ${GOAL}`;
  const title = READS_ALL.has(name) ? `${name} (reads all)` : name;
  const p99 = ratioAt(0.99, times);
  const ours = `${shown(many)} (p99 ratio ${p99.toFixed(2)}, ${many.length} times)`;
  return { name: title, ours, other: shown(few), ratio: ratioAt(0.5, times), goal, p99 };
}

const ms1 = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

/** A table with its indexes and partitions, by its rows. */
async function bytesPerRow({ store }: Side, table: string): Promise<BenchRow> {
  const [row] = await store.query<{ rows: number; bytes: number; indexes: number }>(
    `select (select count(*) from ${table})::float8 as rows, sum(pg_total_relation_size(relid))::float8 as bytes,
            sum(pg_indexes_size(relid))::float8 as indexes
       from (select relid from pg_partition_tree('${table}') union select '${table}'::regclass) parts(relid)`,
  );
  const { rows = 1, bytes = 0, indexes = 0 } = row ?? {};
  const ours = `${Math.round(bytes / rows)} bytes, ${Math.round(indexes / rows)} of them indexes`;
  return { name: `A row of ${table}`, ours, other: '–', ratio: null, goal: NO_GOAL };
}

try {
  const [small, large] = [await openSide(), await openSide()];
  const filling = performance.now();
  await grow(small.store, small.grown, FEW);
  await grow(large.store, large.grown, MANY);
  await grow(large.store, await tenantWithCredits(large.stack), MANY / 4);
  for (const { store } of open) await untilScreenedAgain(store);
  console.log(`filled in ${((performance.now() - filling) / 1_000).toFixed(0)} s`);
  const rows: GrowthRow[] = [];
  for (const name of Object.keys(large.operations)) rows.push(compared(name, await measured(name, [small, large])));
  for (const app of APPS) {
    const times: Times = [[], []];
    for (let nth = 0; nth < STARTS; nth++) {
      times[0].push(await start(small, app));
      times[1].push(await start(large, app));
    }
    rows.push(compared(`start of ${app}`, times));
  }
  const storage: BenchRow[] = [];
  for (const table of FILLED) storage.push(await bytesPerRow(large, table));
  report([...rows.map(({ p99: _, ...row }) => row), ...storage]);
  const flat = rows.filter(({ goal }) => goal !== NO_GOAL);
  const above = (ratio: 'ratio' | 'p99') => flat.filter((row) => Number(row[ratio]) > GOAL).length;
  console.log(
    `of ${flat.length} operations with a goal above ${GOAL}: ${above('ratio')} at p50, ${above('p99')} at p99`,
  );
} finally {
  for (const { admin, stack } of open) {
    await admin.end();
    await stack.close();
  }
}
