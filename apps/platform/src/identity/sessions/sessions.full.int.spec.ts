import { randomUUID } from 'node:crypto';
import { uuidOf } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant, webhookSink } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '@constancia/testing/calls';
import {
  FlowCaller,
  type HarnessVerdict,
  runningIdentity,
  type RunningIdentity,
  WorkerHarness,
} from '../running-identity.fixture.ts';

let store: TestDatabase;
let platform: RunningIdentity;
let worker: WorkerHarness;
/** What the harness says of a run, by subject; others pass. */
const verdicts = new Map<string, HarnessVerdict | 'die' | 'hold'>();
const seenInputs: string[] = [];

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store, { STEP_WAIT_MS: '3000' });
  worker = await WorkerHarness.start(store, platform.kms, (run) => {
    seenInputs.push(JSON.stringify(run.input));
    return verdicts.get(`${run.subject_id} ${run.step_type}`) ?? { outcome: 'pass' };
  });
});
afterAll(async () => {
  await worker?.stop();
  await platform?.close();
  await store?.drop();
});

async function tenantWithFlow(credits = 1000): Promise<FlowCaller> {
  const flows = new FlowCaller(platform, await testTenant(store, { credits }), store);
  await flows.seed();
  return flows;
}

async function atDocument(flows: FlowCaller, body: object = {}) {
  const session = await flows.open({ ...body });
  await flows.advance(session, { accepted: true });
  return session;
}

async function atFace(flows: FlowCaller) {
  const session = await atDocument(flows);
  const answer = await flows.advance(session, await flows.documentInput(session));
  if (answer.status !== 200) throw new Error(answer.text);
  return session;
}

/** What the worker says of a subject's runs from now on. */
function say<S extends { subject_id: string }>(session: S, type: string, verdict: HarnessVerdict | 'die' | 'hold'): S {
  verdicts.set(`${uuidOf('sub', session.subject_id)} ${type}`, verdict);
  return session;
}

describe('a session', () => {
  it('is opened on the published flow, with a token that is shown once', async () => {
    const flows = await tenantWithFlow();
    const session = await flows.open({
      external_ref: 'customer-1',
      email: 'ana@example.com',
      phone: '+57 300 000 0000',
    });
    expect(session).toMatchObject({ status: 'in_progress', current_step: 'consent', last_outcome: null });
    expect(session.session_token).toMatch(/^fst_[0-9A-Za-z]{43}$/);
    const shown = await flows.show(session);
    expect(JSON.stringify(shown)).not.toContain('fst_');
    const again = await flows.open({ external_ref: 'customer-1' });
    const other = await flows.open();
    expect([again.subject_id === session.subject_id, other.subject_id === session.subject_id]).toEqual([true, false]);
    const rows = await store.query(`select * from identity.flow_session where tenant_id = $1`, [flows.tenant.id]);
    expect(JSON.stringify(rows)).not.toMatch(/1098765432|ana@example/);
  });

  it('is refused what its document cannot be, all at once', async () => {
    const flows = await tenantWithFlow();
    const body = { document_type: 'CC', document_number: '12', country: 'XX' };
    const answer = await platform.call<Problem>('/v1/flows/sessions', { key: flows.tenant.apiKey, body });
    expect(answer.body.errors?.map(({ pointer }) => pointer)).toEqual(['/country', '/document_number']);
    const nit = { document_type: 'NIT', document_number: '900373115-7', country: 'CO' };
    const legal = await platform.call<Problem>('/v1/flows/sessions', { key: flows.tenant.apiKey, body: nit });
    expect(legal.status).toBe(400);
    const none = { ...body, document_number: '1098765432', country: 'CO', code: 'other' };
    expect((await platform.call('/v1/flows/sessions', { key: flows.tenant.apiKey, body: none })).status).toBe(404);
  });

  it('answers a repeated opening with the same token, and keeps it encrypted for that', async () => {
    const flows = await tenantWithFlow();
    const call = {
      key: flows.tenant.apiKey,
      body: { document_type: 'CC', document_number: '1098765432', country: 'CO' },
      headers: { 'idempotency-key': randomUUID() },
    };
    const first = await platform.call('/v1/flows/sessions', call);
    const second = await platform.call('/v1/flows/sessions', call);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const [kept] = await store.query<{ body: Buffer; sealed: boolean }>(
      `select body, sealed from identity.idempotency_key where tenant_id = $1`,
      [flows.tenant.id],
    );
    expect(kept?.sealed).toBe(true);
    expect(kept?.body.toString('latin1')).not.toContain('fst_');
  });

  it("takes its own token for GET and advance, and no other session's", async () => {
    const flows = await tenantWithFlow();
    const [mine, other] = [await flows.open(), await flows.open()];
    const bearer = { authorization: `Bearer ${mine.session_token}` };
    const path = `/v1/flows/sessions/${mine.id}`;
    expect((await platform.call(path, { headers: bearer })).status).toBe(200);
    const body = { input: { accepted: true } };
    expect((await platform.call(`${path}/advance`, { body, headers: bearer })).status).toBe(200);
    const elsewhere = await platform.call<Problem>(`/v1/flows/sessions/${other.id}`, { headers: bearer });
    expect(elsewhere.status).toBe(401);
    expect(elsewhere.body.type).toMatch(/unauthorized$/);
    const forged = { authorization: `Bearer fst_${'A'.repeat(43)}` };
    expect((await platform.call(path, { headers: forged })).status).toBe(401);
    expect((await platform.call(`${path}/audit`, { headers: bearer })).status).toBe(401);
  });

  it('asks each step for what it needs', async () => {
    const flows = await tenantWithFlow();
    const session = await flows.open();
    const empty = await flows.advance(session, {});
    expect(empty).toMatchObject({ status: 400, body: { errors: [{ pointer: '/input/accepted', code: 'required' }] } });
    expect((await flows.advance(session, { accepted: false })).status).toBe(400);
    expect((await flows.advance(session, { skip: true })).status).toBe(400);
    expect((await flows.advance(session, { accepted: true, version: '1999' })).status).toBe(409);
    await flows.advance(session, { accepted: true });
    const pointers = async (input: object) =>
      ((await flows.advance(session, input)).body.errors as Problem['errors'])?.map(({ pointer }) => pointer);
    expect(await pointers({})).toEqual(['/input/doc_back_uri', '/input/doc_front_uri']);
    expect(await pointers({ doc_front_uri: 'http://x/y', extra: 1 })).toEqual([
      '/input/doc_back_uri',
      '/input/doc_front_uri',
      '/input/extra',
    ]);
    const foreign = await flows.open();
    expect((await flows.advance(session, await flows.documentInput(foreign))).status).toBe(404);
  });

  it('is expired after its time, by the first request that reads it', async () => {
    const flows = await tenantWithFlow();
    const session = await flows.open();
    await store.query(`update identity.flow_session set expires_at = now() where tenant_id = $1`, [flows.tenant.id]);
    const answer = await flows.advance(session, { accepted: true });
    expect(answer).toMatchObject({ status: 409, body: { rejection_reason: 'expired' } });
    expect(await flows.show(session)).toMatchObject({
      status: 'failed',
      rejection_reason: 'expired',
      current_step: null,
    });
    const list = await platform.call<{ data: object[] }>('/v1/flows/sessions?status=failed', {
      key: flows.tenant.apiKey,
    });
    expect(list.body.data).toHaveLength(1);
  });
});

describe('the work of a step', () => {
  it('goes through a worker, which gets no personal data', async () => {
    const flows = await tenantWithFlow();
    const session = await atFace(flows);
    const { context } = await flows.show(session);
    expect(context.document_upload).toMatchObject({ kind: 'cc_yellow', name_trusted: true });
    expect(seenInputs.join()).not.toMatch(/1098765432|RUIZ/);
    const answer = await flows.advance(session, await flows.faceInput(session));
    expect(answer).toMatchObject({ status: 200, body: { current_step: 'sarlaft', last_outcome: 'advance' } });
    expect(answer.body.context.face_match).toMatchObject({ score: 0.97 });
    expect(await flows.balance()).toEqual({ available: 920, held: 0 });
  });

  it('that must be done again is 422 with reason and attempts_left, and costs nothing', async () => {
    const flows = await tenantWithFlow();
    const session = say(await atFace(flows), 'face', { outcome: 'retry', reason: 'no_face' });
    const left = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { status, body } = await flows.advance(session, await flows.faceInput(session));
      left.push([status, body.reason, body.attempts_left ?? body.rejection_reason]);
    }
    expect(left).toEqual([
      [422, 'no_face', 2],
      [422, 'no_face', 1],
      [422, 'no_face', 'too_many_attempts'],
    ]);
    expect(await flows.show(session)).toMatchObject({ status: 'failed', rejection_reason: 'too_many_attempts' });
    expect(await flows.balance()).toEqual({ available: 1000, held: 0 });
    expect((await flows.advance(session, {})).status).toBe(409);
  });

  it('that rejects is 422 kyc-rejected, is paid for, and is announced', async () => {
    const flows = await tenantWithFlow();
    const sink = await webhookSink();
    await platform.call(`/tenants/${flows.tenant.id}/webhook-endpoints/identity`, {
      method: 'PUT',
      key: flows.tenant.apiKey,
      body: { url: sink.url },
    });
    const session = say(await atFace(flows), 'face', { outcome: 'reject', reason: 'other_person' });
    const answer = await flows.advance(session, await flows.faceInput(session));
    expect(answer).toMatchObject({ status: 422, body: { rejection_reason: 'other_person' } });
    expect(answer.body.type).toMatch(/kyc-rejected$/);
    expect(await flows.balance()).toEqual({ available: 920, held: 0 });
    const events = await store.query<{ event_type: string }>(
      'select event_type from platform.event where tenant_id = $1',
      [flows.tenant.id],
    );
    expect(events).toEqual([{ event_type: 'subject.rejected' }]);
    await sink.close();
  });

  it('that our own engine failed at is 503, and everything is as before', async () => {
    const flows = await tenantWithFlow();
    const session = say(await atFace(flows), 'face', { outcome: 'error', reason: 'engine_failure' });
    const answer = await flows.advance(session, await flows.faceInput(session));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await flows.show(session)).toMatchObject({ status: 'in_progress', current_step: 'face_match' });
    expect(await flows.balance()).toEqual({ available: 1000, held: 0 });
  });

  it('needs its price before it begins: 402, and the session stays', async () => {
    const flows = await tenantWithFlow(79);
    const session = await atFace(flows);
    const answer = await flows.advance(session, await flows.faceInput(session));
    expect(answer).toMatchObject({ status: 402, body: { required: 80 } });
    expect(await flows.show(session)).toMatchObject({
      status: 'in_progress',
      current_step: 'face_match',
      last_outcome: 'advance',
    });
    expect(await flows.balance()).toEqual({ available: 79, held: 0 });
    const [runs] = await store.query<{ count: number }>(
      `select count(*)::int as count from identity.step_run where tenant_id = $1 and step_type = 'face'`,
      [flows.tenant.id],
    );
    expect(runs?.count).toBe(0);
  });

  it('that takes longer is answered with processing; the same input joins it, any other is 409', async () => {
    const flows = await tenantWithFlow();
    const session = say(await atFace(flows), 'face', 'hold');
    const input = await flows.faceInput(session);
    const [first, same] = await Promise.all([
      flows.advance(session, input),
      new Promise((resolve) => setTimeout(resolve, 500)).then(() => flows.advance(session, input)),
    ]);
    for (const answer of [first, same]) {
      expect(answer).toMatchObject({ status: 200, body: { last_outcome: 'processing', current_step: 'face_match' } });
    }
    expect(await flows.balance()).toEqual({ available: 920, held: 80 });
    expect((await flows.advance(session, await flows.faceInput(session))).status).toBe(409);
    say(session, 'face', { outcome: 'pass' }); // the lease runs out and the run is given out again
    const joined = await flows.advance(session, input);
    expect(joined).toMatchObject({ status: 200, body: { current_step: 'sarlaft', last_outcome: 'advance' } });
    expect(await flows.balance()).toEqual({ available: 920, held: 0 });
  });

  it('is answered the same to the same Idempotency-Key, decision or rejection, and done once', async () => {
    const flows = await tenantWithFlow();
    const key = { 'idempotency-key': randomUUID() };
    const session = say(await atFace(flows), 'face', { outcome: 'reject', reason: 'other_person' });
    const input = await flows.faceInput(session);
    const [first, together] = await Promise.all([
      flows.advance(session, input, key),
      flows.advance(session, input, key),
    ]);
    const later = await flows.advance(session, input, key);
    expect([first.status, later.status]).toEqual([422, 422]);
    expect([422, 409]).toContain(together.status);
    expect(later.headers.get('idempotent-replayed')).toBe('true');
    expect([first.text, together.text]).toContain(later.text);
    const other = await flows.advance(session, { ...input, liveness_mode: 'active' }, key);
    expect(other.status).toBe(422);
    expect(other.body.type).toMatch(/unprocessable-entity$/);
    expect(await flows.balance()).toEqual({ available: 920, held: 0 });
  });

  it('is one at a time: of parallel advances with different inputs one is carried out', async () => {
    const flows = await tenantWithFlow();
    const session = await atDocument(flows);
    const inputs = await Promise.all(Array.from({ length: 6 }, () => flows.documentInput(session)));
    const answers = await Promise.all(inputs.map((input) => flows.advance(session, input)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await flows.show(session)).toMatchObject({ current_step: 'face_match' });
    const busy = answers.filter(({ body }) => String(body.detail).includes('Another request is working on'));
    for (const answer of busy) expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '1']);
  });
});

describe('an active liveness challenge', () => {
  const challengeOf = (flows: FlowCaller, session: { id: string }) =>
    platform.call<{ challenge_id: string; poses: string[]; expires_at: string }>(
      `/v1/flows/sessions/${session.id}/liveness-challenge`,
      { method: 'POST', key: flows.tenant.apiKey },
    );
  const answerTo = async (
    flows: FlowCaller,
    session: { subject_id: string },
    challenge: { challenge_id: string; poses: string[] },
  ) => ({
    selfie_uri: await flows.asset(session, 'selfie'),
    liveness_mode: 'active',
    challenge_id: challenge.challenge_id,
    frame_uris: await Promise.all(challenge.poses.map(() => flows.asset(session, 'liveness_frame'))),
  });

  it('belongs to its step, and goes to the worker with the pictures that answer it', async () => {
    const flows = await tenantWithFlow();
    const early = await atDocument(flows);
    expect((await challengeOf(flows, early)).status).toBe(409);
    const session = await atFace(flows);
    const { status, body } = await challengeOf(flows, session);
    expect([status, body.poses[0]]).toEqual([201, 'center']);
    const answer = await flows.advance(session, await answerTo(flows, session, body));
    expect(answer).toMatchObject({ status: 200, body: { current_step: 'sarlaft' } });
    const input = seenInputs
      .map((text) => JSON.parse(text))
      .find(({ challenge }) => challenge?.id === body.challenge_id);
    expect(input.challenge.poses).toEqual(body.poses);
    expect(input.challenge.frames).toHaveLength(body.poses.length);
  });

  it('is good for one attempt, of its own session, and only while it is the latest', async () => {
    const flows = await tenantWithFlow();
    const session = say(await atFace(flows), 'face', { outcome: 'retry', reason: 'pose_not_taken' });
    const { body: first } = await challengeOf(flows, session);
    const { body: second } = await challengeOf(flows, session);
    expect((await flows.advance(session, await answerTo(flows, session, first))).status).toBe(409);
    const stranger = await atFace(flows);
    expect((await flows.advance(stranger, await answerTo(flows, stranger, second))).status).toBe(409);
    const tried = await flows.advance(session, await answerTo(flows, session, second));
    expect(tried).toMatchObject({ status: 422, body: { reason: 'pose_not_taken', attempts_left: 2 } });
    expect((await flows.advance(session, await answerTo(flows, session, second))).status).toBe(409);
    expect(await flows.balance()).toEqual({ available: 1000, held: 0 });
  });
});

describe('the audit trail', () => {
  it('records everything, hash-chained, and nothing personal', async () => {
    const flows = await tenantWithFlow();
    const session = await atFace(flows);
    await flows.advance(session, await flows.faceInput(session));
    const path = `/v1/flows/sessions/${session.id}/audit`;
    const { body } = await platform.call<{ data: { type: string }[]; chain_valid: boolean }>(path, {
      key: flows.tenant.apiKey,
    });
    expect(body.data.map(({ type }) => type)).toEqual([
      'opened',
      'consent_given',
      'step_started',
      'step_accepted',
      'step_started',
      'step_accepted',
    ]);
    expect(body.chain_valid).toBe(true);
    expect(JSON.stringify(body)).not.toMatch(/1098765432|RUIZ|1987/);
  });
});
