import { uuidOf } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import { copiesOf, explaining, pagesRead } from '@constancia/testing/history';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaseFilter, listedCases } from './case-queue/case-list.sql.ts';
import { COUNTED } from './case-queue/case-stats.sql.ts';
import { TenantCases, type Workbench, workbench } from './cases/case-workbench.fixture.ts';
import { personalData } from './cases/cases.fixture.ts';
import { manyCases } from './cases/many-cases.fixture.ts';
import { listsLoaded, seededValidation } from './compliance-setups.fixture.ts';
import type { ClaimedJob } from './monitoring/rescreen-jobs.ts';
import { nextSubjects } from './monitoring/monitored-subjects.sql.ts';
import { listedScreenings } from './screenings/screenings.ts';

const HISTORY = 10_000;
const PERSON = { full_name: 'Rosalba Quintero Arbeláez', birth_date: '1987-04-12', country_code: 'CO' };

let bench: Workbench;
let cases: TenantCases;

beforeAll(async () => {
  bench = await workbench();
  cases = await TenantCases.of(bench);
  const { apiKey: key, id: tenantId } = cases.tenant;
  await listsLoaded(bench.compliance, key);
  await seededValidation(bench.compliance, key);
  await screenings(key, HISTORY);
  const other = (await TenantCases.of(bench)).tenant;
  await seededValidation(bench.compliance, other.apiKey);
  await screenings(other.apiKey, HISTORY / 4);
  await bench.store.query(
    `insert into compliance.monitored_subject
     select (jsonb_populate_record(m, jsonb_build_object('subject_ref', 'customer-' || n, 'screening_id', gen_random_uuid(),
                                                         'screened_at', now() - interval '1 year'))).*
       from compliance.monitored_subject m, generate_series(2, $1) n`,
    [HISTORY],
  );
  await bench.store.query('analyze compliance.monitored_subject');
  const until = new Date(Date.now() - 200 * 86_400_000);
  await manyCases(bench.store, tenantId, { count: HISTORY, until });
  await bench.store.query(
    `update compliance.review_case
        set status = 'resolved', resolved_at = opened_at + interval '1 hour', decision = 'approve', sla_breached_at = opened_at
      where tenant_id = $1 and status <> 'resolved'`,
    [tenantId],
  );
  await bench.store.query('vacuum analyze compliance.review_case');
  await cases.open();
  await cases.openIn('resolved');
}, 180_000);
afterAll(async () => {
  await bench?.close();
});

/** Screenings of a tenant, newer than all that there are. */
async function screenings(key: string, count: number): Promise<void> {
  const body = { subject_ref: 'customer-1', subject_type: 'natural', payload: PERSON };
  const screened = await bench.compliance.call<{ id: string }>('/v1/screenings', { key, body });
  await copiesOf(bench.store, 'compliance.screening', uuidOf('scr', screened.body.id) as string, { count });
}

/** The plans of what a list asks. */
async function plansOf(list: (tx: Tx) => Promise<unknown>): Promise<string> {
  const plans: unknown[] = [];
  await bench.database.tenant(cases.tenant.id, (tx) => list(explaining(tx, plans)));
  return JSON.stringify(plans);
}

/** A database whose work is all in this transaction. */
function databaseOf(tx: Tx): Database {
  return { tenant: (_: string, work: (tx: Tx) => Promise<unknown>) => work(tx) } as unknown as Database;
}

describe('with a long history', () => {
  it.each([
    ['screening_of_subject_type', { subjectType: 'legal' as const }],
    ['screening_of_trigger', { trigger: 'identity' as const }],
  ])('screenings are found through %s', async (index, filter) => {
    const personal = await personalData(bench.database);
    const keyring = await personal.tenant(cases.tenant.id);
    const plans = await plansOf((tx) => listedScreenings(tx, keyring, cases.tenant.id, { limit: 20, ...filter }));
    expect(plans).toContain(`"Index Name":"${index}"`);
    expect(plans).not.toMatch(/"Node Type":"(Seq Scan|Sort)"/);
  });

  it.each<[string, object]>([
    ['all of them', {}],
    ['those that nearly all are', { decision: 'approve', trigger: 'api' }],
  ])('screenings, %s, are listed without reading what other tenants have just added', async (_, filter) => {
    const personal = await personalData(bench.database);
    const keyring = await personal.tenant(cases.tenant.id);
    const plans = await plansOf((tx) => listedScreenings(tx, keyring, cases.tenant.id, { limit: 20, ...filter }));
    expect(plans).toMatch(/"Index Name":"screening_(list|of_trigger)"/);
    expect(plans).not.toContain('screening_pkey');
  });

  it('the late pass after a change of a list reads the subjects that were screened meanwhile', async () => {
    const plans = await plansOf((tx) => {
      const job = { tenant_id: cases.tenant.id, pass: 'late', requested_at: new Date() } as ClaimedJob;
      return nextSubjects(databaseOf(tx), job, null, 5_000);
    });
    expect(plans).toContain('"Index Name":"monitored_subject_screened"');
    expect(plans).not.toContain('"Node Type":"Seq Scan"');
  });

  it.each([
    ['review_case_assigned', { assignee: 'nobody' }],
    ['review_case_priority', { priority: 'critical' as const }],
  ])('cases are found through %s', async (index, filter) => {
    const keyring = await (await personalData(bench.database)).tenant(cases.tenant.id);
    const list: { tenantId: string; filter: CaseFilter; limit: number } = {
      ...{ tenantId: cases.tenant.id, filter: { opened: { from: undefined, to: undefined }, ...filter }, limit: 20 },
    };
    const plans = await plansOf((tx) => listedCases(tx, keyring, list));
    expect(plans).toContain(`"Index Name":"${index}"`);
    expect(plans).not.toContain('"Node Type":"Seq Scan"');
  });

  it('the numbers of cases read what waits and what was resolved lately', async () => {
    const { body } = await cases.get<{ resolved_since: string }>('/v1/cases/stats');
    expect(body).toMatchObject({ by_status: { open: 1, resolved: 1 }, sla_breaches: 0, ros_drafts: 0 });
    expect(Math.abs(Date.parse(body.resolved_since) + 90 * 86_400_000 - Date.now())).toBeLessThan(86_400_000);
    const firstDay = body.resolved_since.slice(0, 10);
    expect(await pagesRead(bench.store, COUNTED, [cases.tenant.id, firstDay])).toBeLessThan(60);
  });

  it('the numbers of cases do not read again what was resolved on days that are over', async () => {
    const lately = await TenantCases.of(bench);
    await manyCases(bench.store, lately.tenant.id, { count: 2 * HISTORY, stepSeconds: (90 * 86_400) / (2 * HISTORY) });
    await bench.store.query(
      `update compliance.review_case set erasure_id = gen_random_uuid() where tenant_id = $1 and status <> 'resolved'`,
      [lately.tenant.id],
    );
    await bench.store.query('vacuum analyze compliance.review_case');
    const firstDay = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10);
    const read = () => rowsRead(COUNTED, [lately.tenant.id, firstDay], 'review_case');
    expect(await read()).toBeGreaterThan(0.9 * HISTORY);
    const { body } = await lately.get<{ by_status: Record<string, number> }>('/v1/cases/stats');
    expect(body.by_status.resolved).toBeGreaterThan(0.9 * HISTORY);
    expect(await read()).toBeLessThan(HISTORY / 60);
  }, 60_000);

  it('a page of a long period reads little more than the page', async () => {
    const { tenant } = await TenantCases.of(bench);
    await manyCases(bench.store, tenant.id, { count: HISTORY, stepSeconds: 3_600 });
    await bench.store.query('vacuum analyze compliance.review_case');
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    const list = { tenantId: tenant.id, filter: { opened: { from: ago(300), to: ago(100) } }, limit: 20 };
    const keyring = await (await personalData(bench.database)).tenant(tenant.id);
    const plan = await bench.database.tenant(tenant.id, async (tx) => {
      expect(await listedCases(tx, keyring, list)).toHaveLength(20);
      const query = (sql: string, params: unknown[]) => tx.query(`explain (analyze, format json) ${sql}`, params);
      return JSON.stringify(await listedCases({ query } as unknown as Tx, keyring, list));
    });
    const read = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":(\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...read)).toBeLessThan(100);
  });
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

/** Rows of a table that a statement reads. */
async function rowsRead(sql: string, params: unknown[], table: string): Promise<number> {
  const explained = `explain (analyze, format json) ${sql}`;
  const [row] = await bench.store.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained, params);
  const of = (node: PlanNode): number =>
    (node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0) +
    (node.Plans ?? []).reduce((sum, part) => sum + of(part), 0);
  return row ? of(row['QUERY PLAN'][0].Plan) : 0;
}
