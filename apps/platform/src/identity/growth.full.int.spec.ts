import { uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { copiesOf, explaining, pagesRead } from '@constancia/testing/history';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityDatabase } from './identity-database.ts';
import { FlowCaller, type RunningIdentity, runningIdentity } from './running-identity.fixture.ts';
import { listSessions } from './sessions/session-changes.ts';
import { listSubjects } from './subjects/subject-records.ts';
import { IDENTITY_TABLES } from './tables.ts';

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
  await copiesOf(store, 'identity.subject', uuidOf('sub', subject_id) as string, {
    kyc_status: `'approved'`,
    external_ref: `'customer-' || n`,
    document_type: `'CC'`,
  });
  await copiesOf(store, 'identity.flow_session', uuidOf('fls', id) as string, {
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

/** The plan of what a list asks. */
async function planOf(list: (tx: Tx) => Promise<unknown>): Promise<string> {
  const plans: unknown[] = [];
  await database.tenant(tenant.id, (tx) => list(explaining(tx, plans)));
  return JSON.stringify(plans);
}

describe('with a long history', () => {
  it.each(['forget_sessions(100, 1825)', 'retire_assets(100, 90)'])(
    '%s reads nothing of what is not due',
    async (sweep) => {
      expect(await pagesRead(store, `select identity.${sweep}`)).toBeLessThan(60);
    },
  );

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
