import { ageOn, bogotaDay } from '@constancia/kernel';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listsLoaded } from '../../apps/compliance/src/compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import {
  FlowCaller,
  runningIdentity,
  type RunningIdentity,
  type Session,
  WorkerHarness,
} from '../../apps/platform/src/identity/running-identity.fixture.ts';

let store: TestDatabase;
let platform: RunningIdentity;
let compliance: RunningCompliance;
let worker: WorkerHarness;
/** Whom the document names, by the number of the next session. */
let person = { surnames: 'RUIZ PEÑA', given_names: 'ANA MARIA', birth_date: '1987-04-12' };

const field = (value: string) => ({ value, source: 'pdf417', confidence: 1, checks: [], trusted: true });

beforeAll(async () => {
  store = await testDatabase();
  compliance = await runningCompliance(store);
  platform = await runningIdentity(store);
  worker = await WorkerHarness.start(store, platform.kms, ({ step_type }) => {
    if (step_type === 'face') return { outcome: 'pass' };
    const fields = Object.fromEntries(Object.entries(person).map(([name, value]) => [name, field(value)]));
    const result = { v: 1, kind: 'cc_yellow', fields, name_trusted: true, reasons: [], quality: [], took_ms: 1 };
    return { outcome: 'pass', result };
  });
});
afterAll(async () => {
  await worker?.stop();
  await platform?.close();
  await compliance?.close();
  await store?.drop();
});

async function tenantWithFlow(): Promise<FlowCaller> {
  const flows = new FlowCaller(platform, await testTenant(store), store);
  await flows.seed();
  await listsLoaded(compliance, flows.tenant.apiKey);
  await eventually(async () => {
    const { body } = await compliance.call<{ data: object[] }>('/v1/validations?status=published', {
      key: flows.tenant.apiKey,
    });
    if (body.data.length !== 1) throw new Error('no validation is published yet');
  });
  return flows;
}

async function atSarlaft(flows: FlowCaller): Promise<Session> {
  const session = await flows.open({ external_ref: 'customer-9' });
  await flows.advance(session, { accepted: true });
  await flows.advance(session, await flows.documentInput(session));
  const answer = await flows.advance(session, await flows.faceInput(session));
  if (answer.status !== 200) throw new Error(answer.text);
  return session;
}

describe('the sarlaft step', () => {
  it('is screened by the compliance module, in the price of the flow; approval completes the session', async () => {
    person = { surnames: 'RUIZ PEÑA', given_names: 'ANA MARIA', birth_date: '1987-04-12' };
    const flows = await tenantWithFlow();
    const sink = await hooked(flows);
    const session = await atSarlaft(flows);
    const answer = await flows.advance(session, {});
    expect(answer).toMatchObject({ status: 200, body: { status: 'completed', current_step: null } });
    expect(answer.body.context.sarlaft).toMatchObject({ decision: 'approve' });
    expect(await flows.balance()).toEqual({ available: 920, held: 0 });
    const [event] = await store.query<{ body: string }>(
      `select body from platform.event where tenant_id = $1 and event_type = 'subject.verified'`,
      [flows.tenant.id],
    );
    expect((JSON.parse(event?.body ?? '{}') as { payload: object }).payload).toEqual({
      subject_id: session.subject_id,
      external_ref: 'customer-9',
      kyc_status: 'approved',
      document_type: 'CC',
      document_country: 'CO',
      subject_age_years: ageOn('1987-04-12', bogotaDay(new Date())),
      restrictive_list_hits: [],
    });
    await sink.close();
  });

  it('without a published validation is 503, and goes on once there is one', async () => {
    const flows = await tenantWithFlow();
    await store.query(`update compliance.validation set status = 'deprecated' where tenant_id = $1`, [flows.tenant.id]);
    const session = await atSarlaft(flows);
    const answer = await flows.advance(session, {});
    expect(answer).toMatchObject({ status: 503, body: { reason: 'no_published_validation' } });
    expect(await flows.show(session)).toMatchObject({ status: 'in_progress', current_step: 'sarlaft' });
    await store.query(`update compliance.validation set status = 'published' where tenant_id = $1`, [flows.tenant.id]);
    expect((await flows.advance(session, {})).body.status).toBe('completed');
  });

  it('that asks for review waits for a person; resolving the case there decides it here', async () => {
    const flows = await tenantWithFlow();
    const session = await inReview(flows);
    const cases = await openCases(flows);
    const resolve = { decision: 'approve', reason: 'Otra persona: fecha de nacimiento distinta.' };
    const body = { ...resolve, discriminating_data: ['birth_date'] };
    const path = `/v1/cases/${cases[0]?.id}/resolve`;
    const resolved = await compliance.call(path, { key: flows.tenant.apiKey, body });
    expect(resolved.status, resolved.text).toBe(200);
    await eventually(async () => {
      const shown = await flows.show(session);
      if (shown.status !== 'completed') throw new Error(shown.status);
    });
  });

  it('that asks for review can be decided here, which resolves the case there', async () => {
    const flows = await tenantWithFlow();
    const session = await inReview(flows);
    const path = `/v1/flows/sessions/${session.id}/review`;
    const body = { decision: 'reject', reason: 'No es la misma persona.' };
    const key = flows.tenant.apiKey;
    const reviewed = await platform.call<Session>(path, { key, body, headers: { 'x-actor': 'Ana' } });
    expect(reviewed).toMatchObject({ status: 200, body: { status: 'failed', rejection_reason: 'manual_review' } });
    expect((await platform.call(path, { key, body })).status).toBe(409);
    await eventually(async () => {
      if ((await openCases(flows)).length > 0) throw new Error('the case is open');
    });
    await eventually(async () => {
      const [row] = await store.query<{ case_request: unknown }>(
        'select case_request from identity.flow_session where tenant_id = $1',
        [flows.tenant.id],
      );
      if (row?.case_request !== null) throw new Error('the answer is not here');
    });
  });
});

async function hooked(flows: FlowCaller): Promise<WebhookSink> {
  const sink = await webhookSink();
  await platform.call(`/tenants/${flows.tenant.id}/webhook-endpoints/identity`, {
    method: 'PUT',
    key: flows.tenant.apiKey,
    body: { url: sink.url },
  });
  return sink;
}

/** A session whose subject the rules want a person to look at: somebody of 91. */
async function inReview(flows: FlowCaller): Promise<Session> {
  person = { surnames: 'RUIZ PEÑA', given_names: 'ANA MARIA', birth_date: '1935-04-12' };
  const session = await atSarlaft(flows);
  const answer = await flows.advance(session, {});
  if (answer.body.status !== 'manual_review') throw new Error(answer.text);
  expect(answer.body).toMatchObject({ current_step: null, last_outcome: 'review' });
  return session;
}

async function openCases(flows: FlowCaller): Promise<{ id: string }[]> {
  const { body } = await compliance.call<{ data: { id: string }[] }>('/v1/cases?status=open', {
    key: flows.tenant.apiKey,
  });
  return body.data;
}
