import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listsLoaded, seededValidation } from '../../../../tools/test/compliance-setups.ts';
import { type RunningCompliance, runningCompliance } from '../../../../tools/test/running-compliance.ts';
import type { ScreeningView } from './screening-view.ts';

let database: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
  await listsLoaded(compliance, (await testTenant(database)).apiKey);
});

beforeEach(async () => {
  tenant = await testTenant(database);
});

afterAll(async () => {
  await compliance?.close();
  await database?.drop();
});

const PERSON = {
  full_name: 'Ana María Ejemplo Prueba',
  birth_date: '1987-04-12',
  document_type: 'CC',
  document_number: '1098765432',
  country_code: 'CO',
  kyc_status: 'approved',
  amount: 1_250_000,
  currency: 'COP',
};
const subject = (payload: object = {}) => ({
  subject_ref: 'customer-1',
  subject_type: 'natural',
  payload: { ...PERSON, ...payload },
});
const screen = (body: object, headers: Record<string, string> = {}) =>
  compliance.call<ScreeningView>('/v1/screenings', { key: tenant.apiKey, body, headers });

describe('a screening', () => {
  it('is approved, kept and charged', async () => {
    await seededValidation(compliance, tenant.apiKey);
    const { status, body } = await screen(subject());
    expect([status, body.decision, body.score, body.findings, body.list_hits]).toEqual([201, 'approve', 0, [], []]);
  });
});
