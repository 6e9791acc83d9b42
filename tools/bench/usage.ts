/**
 * A year's usage of a tenant with 1,000,000 ledger entries through the platform app, a process of its own, five requests a second;
 * for comparison, what the same sums cost when they are read from the entries. Then what the totals cost a debit: units of work with their
 * trigger and without it.
 */
import { ChargedWork } from '@constancia/credit-ledger';
import { Idempotency } from '@constancia/idempotency';
import { bogotaDay, daysBefore, SecretBox, uuidv7 } from '@constancia/kernel';
import { appRole, Database, urlFor } from '@constancia/persistence';
import { TEST_PASSWORD } from '@constancia/testing/cluster';
import pg from 'pg';
import { writeEntries } from '../../apps/platform/src/billing/usage/many-entries.fixture.ts';
import { NO_LIMITS, signUp, startDeployment } from '../e2e/deployment.fixture.ts';
import { atRate, compare, percentile, percentilesOf, perSecond, report } from './measure.ts';

const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 1_000_000);
const DAYS = 365;
const PER_SECOND = 5;
const REQUESTS = 100;
const DEBITS_MS = 3_000;
const ROUNDS = 5;

const stack = await startDeployment({
  env: { ...NO_LIMITS, RATE_LIMIT_TENANT_TOTAL: '1000000', LOG_LEVEL: 'warn' },
  apps: ['platform'],
  durable: true,
});
const admin = new pg.Pool({ connectionString: stack.cluster.adminUrl, max: 2 });
admin.on('error', () => undefined); // the server may close its connections before end() does
const store = {
  query: async <Row>(sql: string, params: unknown[] = []) => (await admin.query(sql, params)).rows as Row[],
};

/** Milliseconds of each of some requests, sent at their times whether earlier ones were answered or not. */
function requests(path: string, apiKey: string): Promise<number[]> {
  return atRate(PER_SECOND, REQUESTS, async () => {
    const response = await fetch(`${stack.baseUrl}${path}`, { headers: { 'X-API-Key': apiKey } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  });
}

/** The same sums, read from the entries; milliseconds of each of some readings. */
async function fromEntries(tenantId: string): Promise<number[]> {
  const times: number[] = [];
  for (let nth = 0; nth < 7; nth++) {
    const began = performance.now();
    await admin.query(
      `select to_char(created_at at time zone 'America/Bogota', 'YYYY-MM-DD') as period, module, ref_type, count(*), sum(quantity)
         from platform.credit_entry
        where tenant_id = $1 and created_at >= now() - interval '366 days' and kind in ('debit', 'capture', 'refund')
        group by 1, 2, 3`,
      [tenantId],
    );
    times.push(performance.now() - began);
  }
  return times;
}

async function debits(tenantId: string): Promise<{ ratio: number; ours: number; other: number; ratios: number[] }> {
  const database = await Database.connect({
    url: urlFor(stack.cluster.adminUrl, appRole('signing'), TEST_PASSWORD),
    applicationName: 'bench',
    poolSize: 16,
  });
  const work = new ChargedWork(database, 'signing', new Idempotency('signing', new SecretBox([Buffer.alloc(32, 1)])));
  const debit = () =>
    work.commit({ tenantId, writes: [], debit: { module: 'seal', refType: 'signature', refId: uuidv7(), amount: 1 } });
  const side = (trigger: 'enable' | 'disable') => async () => {
    await admin.query(`alter table platform.credit_entry ${trigger} trigger credit_entry_daily_totals`);
    return perSecond(64, DEBITS_MS, debit);
  };
  await side('enable')();
  const result = await compare(ROUNDS, side('enable'), side('disable'));
  await database.close();
  return result;
}

try {
  const { tenantId, apiKey } = await signUp(stack);
  const tenant = await signUp(stack);
  await writeEntries(store, tenantId, ENTRIES, DAYS);
  await admin.query('vacuum analyze platform.credit_entry, platform.credit_daily_total');
  const broken = await store.query('select * from platform.verify_ledger($1)', [tenantId]);
  if (broken.length > 0) throw new Error(`the ledger is not sound: ${JSON.stringify(broken)}`);

  const today = bogotaDay(new Date());
  const year = `from=${daysBefore(today, DAYS)}&to=${today}`;
  const entries = await fromEntries(tenantId);
  const rows = [];
  for (const by of ['day', 'month'] as const) {
    const path = `/v1/billing/usage?${year}&by=${by}`;
    const times = await requests(path, apiKey);
    rows.push({
      name: `Usage of a year of ${ENTRIES.toLocaleString('en')} entries by ${by}, ${PER_SECOND} requests a second`,
      ours: percentilesOf(times),
      other: `${percentile(entries, 0.5).toFixed(0)} ms in the database, read from the entries`,
      ratio: percentile(entries, 0.5) / percentile(times, 0.95),
      goal: 'p95 < 100 ms',
    });
  }
  await admin.query(`select platform_v1.grant_credits($1, 1000000000, 'test', $1, null)`, [tenant.tenantId]);
  const cost = await debits(tenant.tenantId);
  rows.push({
    name: 'Debits of one tenant, with daily totals',
    ours: `${Math.round(cost.ours)}/s`,
    other: `${Math.round(cost.other)}/s (the trigger disabled)`,
    ratio: cost.ratio,
    goal: '≥ 0.9',
  });
  report(rows);
  console.log(`rounds of debits: ${cost.ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
} finally {
  await admin.end();
  await stack.close();
}
