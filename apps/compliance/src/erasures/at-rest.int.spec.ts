import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCanaries } from '@constancia/testing/canary-scan';
import { COMPLIANCE_CANARIES, runCompliance } from './compliance-canaries.fixture.ts';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { importEntries } from '../lists/list-imports.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';

let store: TestDatabase;
let compliance: RunningCompliance;

beforeAll(async () => {
  store = await testDatabase();
  compliance = await runningCompliance(store);
  await listsLoaded(compliance, (await testTenant(store)).apiKey);
});
afterAll(async () => {
  await compliance?.close();
  await store?.drop();
});

describe('personal data of compliance', () => {
  it('is nowhere in the store in the clear, neither before an erasure nor after it', async () => {
    const tenant = await testTenant(store);
    await seededValidation(compliance, tenant.apiKey);
    const entries = [{ id: 'I-1', name: COMPLIANCE_CANARIES.name, birthDate: COMPLIANCE_CANARIES.birthDate }];
    await importEntries(compliance, 'ONU', entries, { force: true });
    await runCompliance(compliance.call, tenant.apiKey, 'customer-1');
    const canaries = Object.values(COMPLIANCE_CANARIES);
    // The list that names the person is the operator's: what is published of listed people is reference data.
    const scan = async () =>
      (await findCanaries((sql, params) => store.query(sql, params), canaries)).filter(
        ({ table }) => table !== 'compliance.list_content',
      );
    expect(await scan()).toEqual([]);
    const copies = (table: string, column: string) =>
      store.query<{ count: number }>(
        `select count(${column})::int as count from compliance.${table} where tenant_id = $1`,
        [tenant.id],
      );
    expect(await copies('monitored_subject', 'sealed_payload')).toEqual([{ count: 1 }]);
    expect(await copies('screening', 'monitored_payload')).toEqual([{ count: 0 }]);
    const { status } = await compliance.call('/v1/erasures', {
      method: 'POST',
      key: tenant.apiKey,
      body: { subject_ref: 'customer-1' },
    });
    expect(status).toBe(200);
    expect(await scan()).toEqual([]);
    expect(await copies('monitored_subject', 'sealed_payload')).toEqual([{ count: 0 }]); // the tenant's key outlives the subject's
  }, 120_000);
});
