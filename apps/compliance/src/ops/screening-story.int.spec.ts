import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listsLoaded, seededValidation } from '../compliance-setups.fixture.ts';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';

let store: TestDatabase;
let compliance: RunningCompliance;
let ops: OpsPort;

beforeAll(async () => {
  store = await testDatabase();
  compliance = await runningCompliance(store);
  ops = await opsPortOf(compliance.app);
});
afterAll(async () => {
  await ops?.close();
  await compliance?.close();
  await store?.drop();
});

it('the story of a screening shows its result, not whom it is about', async () => {
  const { apiKey: key, id: tenantId } = await testTenant(store);
  await listsLoaded(compliance, key);
  await seededValidation(compliance, key);
  const payload = { full_name: 'Camila Restrepo Uribe', document_type: 'CC', document_number: '1098765432' };
  const body = { validation_code: 'default', subject_ref: 'camila-1', subject_type: 'natural', payload };
  const made = await compliance.call<{ id: string; decision: string }>('/v1/screenings', { key, body });
  expect(made.status).toBe(201);
  const story = await ops.get(`/story/${made.body.id}`);
  expect(story.body).toMatchObject({
    id: made.body.id,
    kind: 'screening',
    tenant_id: tenantId,
    decision: made.body.decision,
    validation: 'default v1',
    credits_debited: 8,
    timeline: [{ where: 'compliance', what: 'screened' }],
  });
  expect(JSON.stringify(story.body)).not.toMatch(/Camila|camila|1098765432/);
});
