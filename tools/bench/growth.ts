/**
 * Cost as history grows: every operation for a tenant with 3,000 rows in each table, then, on the same database, for one with GROWTH_ROWS
 * (3,000,000) beside another with a quarter of that; the ratio of both. What is read from a page, a filter, a sweep or a claim should
 * cost the same; what must read everything has no goal. Lastly the start of each app, and the bytes of a row with its indexes.
 */
import { randomBytes } from 'node:crypto';
import type { TestDatabase } from '@constancia/testing/test-database';
import pg from 'pg';
import { grantCredits, NO_LIMITS, startDeployment } from '../e2e/deployment.fixture.ts';
import { FILLED, grow, type Grown, tenantToGrow } from './growth-history.ts';
import { operationsOf, READS_ALL } from './growth-operations.ts';
import { type BenchRow, percentile, report } from './measure.ts';

const FEW = 3_000;
const MANY = Number(process.env.GROWTH_ROWS ?? 3_000_000);
const REQUESTS = 300;
const WARM_UPS = 10;
/** An operation that takes so long is not repeated as often. */
const LONG_MS = 1_000;
const STARTS = Number(process.env.GROWTH_STARTS ?? 3);
const GOAL = 1.2;
const NO_GOAL = '–';
const APPS = ['platform', 'compliance', 'signing'] as const;

type Times = Map<string, number[]>;

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

/** Milliseconds of each operation. One that fails, for example because it takes too long, is counted with the time until then, and once. */
async function timesOf(grown: Grown): Promise<Times> {
  const times: Times = new Map();
  for (const [name, run] of Object.entries(operationsOf(stack, grown, store, opsToken))) {
    const ms: number[] = [];
    const began = performance.now();
    for (let nth = -WARM_UPS; nth < REQUESTS; nth++) {
      const sent = performance.now();
      let failed: string | undefined;
      const own = await run().catch((error: unknown) => void (failed = String(error)));
      if (nth >= 0 || failed !== undefined) ms.push(own ?? performance.now() - sent);
      if (failed !== undefined) console.log(`FAILED: ${name}: ${failed}`);
      if (failed !== undefined || (performance.now() - began > LONG_MS && nth >= 4)) break;
    }
    times.set(name, ms);
  }
  for (const app of APPS) times.set(`start of ${app}`, await starts(app));
  return times;
}

async function starts(name: (typeof APPS)[number]): Promise<number[]> {
  const ms: number[] = [];
  for (let nth = 0; nth < STARTS; nth++) {
    const app = stack.app(name);
    await app.end();
    const began = performance.now();
    await app.start();
    ms.push(performance.now() - began);
  }
  return ms;
}

function compared(few: Times, many: Times): BenchRow[] {
  return [...many].map(([name, ms]): BenchRow => {
    const before = few.get(name) as number[];
    const shown = (values: number[]) => `p50 ${ms1(percentile(values, 0.5))}, p99 ${ms1(percentile(values, 0.99))} ms`;
    const ratioAt = (share: number) => percentile(ms, share) / percentile(before, share);
    const ratio = ratioAt(0.5);
    const goal = READS_ALL.has(name) ? NO_GOAL : `≤ ${GOAL}`;
    const title = READS_ALL.has(name) ? `${name} (reads all)` : name;
    return { name: title, ours: `${shown(ms)} (p99 ratio ${ratioAt(0.99).toFixed(2)})`, other: shown(before), ratio, goal };
  }); // prettier-ignore
}

const ms1 = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

/** A table with its indexes and partitions, by its rows. */
async function bytesPerRow(table: string): Promise<BenchRow> {
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
  const [small, large, other] = [await tenantToGrow(stack), await tenantToGrow(stack), await tenantToGrow(stack)];
  for (const { integrator } of [small, large, other]) await grantCredits(stack, integrator, 10_000_000);
  await grow(store, small, FEW);
  const few = await timesOf(small);
  const filling = performance.now();
  await grow(store, large, MANY);
  await grow(store, other, MANY / 4);
  console.log(`filled in ${((performance.now() - filling) / 1_000).toFixed(0)} s`);
  const many = await timesOf(large);
  const rows = compared(few, many);
  for (const table of FILLED) rows.push(await bytesPerRow(table));
  report(rows);
  const above = rows.filter(({ ratio, goal }) => ratio !== null && ratio > GOAL && goal !== NO_GOAL).length;
  console.log(`${above} of ${rows.length - FILLED.length} operations above ${GOAL}`);
} finally {
  await admin.end();
  await stack.close();
}
