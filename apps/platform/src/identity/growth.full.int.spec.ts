import { uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityDatabase } from './identity-database.ts';
import { RetentionSweep } from './privacy/retention-sweep.ts';
import { FlowCaller, type RunningIdentity, runningIdentity } from './running-identity.fixture.ts';
import { listSessions } from './sessions/session-changes.ts';
import { listSubjects } from './subjects/subject-records.ts';
import { IDENTITY_TABLES } from './tables.ts';

const HISTORY = 5_000;

let store: TestDatabase;
let platform: RunningIdentity;
let database: IdentityDatabase;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store);
  database = await IdentityDatabase.connect({
    ...{ url: store.app('identity'), applicationName: 'test', entities: IDENTITY_TABLES },
  });
  tenant = await testTenant(store);
  const flows = new FlowCaller(platform, tenant, store);
  await flows.seed();
  const { id, subject_id } = await flows.open();
  await copies('subject', uuidOf('sub', subject_id) as string, {
    kyc_status: `'approved'`,
    external_ref: `'customer-' || n`,
    document_type: `'CC'`,
  });
  await copies('flow_session', uuidOf('fls', id) as string, {
    status: `'failed'`,
    rejection_reason: `'expired'`,
    current_step: 'null::text',
    external_ref: `'customer-' || n`,
    token_hash: `'\\x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`,
    completed_at: `now() - make_interval(days => n % 1800)`,
  });
});
afterAll(async () => {
  await database?.close();
  await platform?.close();
  await store?.drop();
});

/** A long history: copies of a row with other values (SQL expressions, `n` counts). */
async function copies(table: string, id: string, values: Record<string, string>): Promise<void> {
  const members = Object.entries({ id: 'platform.uuid_v7()', ...values }).map(([name, value]) => `'${name}', ${value}`);
  await store.query(
    `insert into identity.${table}
     select (jsonb_populate_record(r, jsonb_build_object(${members.join(', ')}))).*
       from identity.${table} r, generate_series(1, ${HISTORY}) n where r.id = $1`,
    [id],
  );
  await store.query(`analyze identity.${table}`);
}

/** Rows of a table that were read by now. */
async function rowsRead(table: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // statistics are written once a second
  const [row] = await store.query<{ read: string }>(
    `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_all_tables
      where schemaname = 'identity' and relname = $1`,
    [table],
  );
  return Number(row?.read);
}

/** The plan of what a list asks. */
async function planOf(list: (tx: Tx) => Promise<unknown>): Promise<string> {
  let plan: unknown;
  await database.tenant(tenant.id, async (tx) => {
    const explaining = { query: (sql: string, params: unknown[]) => tx.query(`explain (format json) ${sql}`, params) };
    plan = await list(explaining as unknown as Tx);
  });
  return JSON.stringify(plan);
}

describe('with a long history', () => {
  it('the sweep of retention reads nothing of what is not due', async () => {
    const sweep = () => platform.app.get(RetentionSweep).run();
    await sweep();
    const before = await rowsRead('flow_session');
    await sweep();
    expect((await rowsRead('flow_session')) - before).toBeLessThan(100);
  });

  it.each([
    ['flow_session_by_status', { status: 'in_progress' }],
    ['flow_session_by_ref', { externalRef: 'nobody' }],
  ])('sessions are found through %s', async (index, filter) => {
    const plan = await planOf((tx) => listSessions(tx, tenant.id, { limit: 20, ...filter }));
    expect(plan).toContain(`"Index Name":"${index}"`);
    expect(plan).not.toMatch(/"Node Type":"(Seq Scan|Sort)"/);
  });

  it.each([
    ['subject_by_status', { kycStatus: 'rejected' as const }],
    ['subject_by_ref', { externalRef: 'nobody' }],
    ['subject_by_document_type', { documentType: 'PA' as const }],
  ])('subjects are found through %s', async (index, filter) => {
    const plan = await planOf((tx) => listSubjects(tx, tenant.id, { limit: 20, ...filter }));
    expect(plan).toContain(`"Index Name":"${index}"`);
    expect(plan).not.toMatch(/"Node Type":"(Seq Scan|Sort)"/);
  });
});
