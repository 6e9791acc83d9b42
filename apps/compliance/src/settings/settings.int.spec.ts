import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';

const PATH = '/v1/compliance-settings';

const KEPT = { retention_days: 1_825, trusted_actor: false, publish_four_eyes: false };

let database: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
});

beforeEach(async () => {
  tenant = await testTenant(database);
});

afterAll(async () => {
  await compliance?.close();
  await database?.drop();
});

describe('the settings of a tenant', () => {
  it('are one person for a resolution and monitoring, until set', async () => {
    const { status, body } = await compliance.call(PATH, { key: tenant.apiKey });
    expect([status, body]).toEqual([200, { four_eyes: 'off', monitoring: true, ...KEPT }]);
  });

  it('are replaced as a whole, for this tenant alone', async () => {
    const other = await testTenant(database);
    const put = (body: object) => compliance.call(PATH, { method: 'PUT', key: tenant.apiKey, body });
    expect((await put({ four_eyes: 'onu', monitoring: false })).body).toEqual({
      four_eyes: 'onu',
      monitoring: false,
      ...KEPT,
    });
    expect((await put({ four_eyes: 'all' })).body).toEqual({ four_eyes: 'all', monitoring: true, ...KEPT });
    const audited = await database.query<{ data: string }>(
      "select data from platform.audit_entry where tenant_id = $1 and type = 'compliance_settings.changed' order by seq",
      [tenant.id],
    );
    expect(audited.map(({ data }) => JSON.parse(data) as object)).toEqual([
      { before: { four_eyes: 'off', monitoring: true }, after: { four_eyes: 'onu', monitoring: false } },
      { before: { four_eyes: 'onu', monitoring: false }, after: { four_eyes: 'all', monitoring: true } },
    ]);
    expect((await compliance.call(PATH, { key: tenant.apiKey })).body).toEqual({
      four_eyes: 'all',
      monitoring: true,
      ...KEPT,
    });
    expect((await compliance.call(PATH, { key: other.apiKey })).body).toEqual({
      four_eyes: 'off',
      monitoring: true,
      ...KEPT,
    });
  });

  it('refuse what they do not know, all at once, and stay', async () => {
    const body = { four_eyes: 'sometimes', monitoring: 'yes', six_eyes: true };
    const { status, body: problem } = await compliance.call(PATH, { method: 'PUT', key: tenant.apiKey, body });
    expect(status).toBe(400);
    const pointers = (problem.errors as { pointer: string }[]).map(({ pointer }) => pointer).sort();
    expect(pointers).toEqual(['/four_eyes', '/monitoring', '/six_eyes']);
    expect((await compliance.call(PATH, { key: tenant.apiKey })).body).toEqual({
      four_eyes: 'off',
      monitoring: true,
      ...KEPT,
    });
  });
});
