import { eventually, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FlowCaller,
  type RunningIdentity,
  runningIdentity,
  type Session,
  WorkerHarness,
} from '../running-identity.fixture.ts';

const NAME = 'RUIZ PEÑA';

let database: TestDatabase;
let platform: RunningIdentity;
let worker: WorkerHarness;
let tenant: TestTenant;
let flows: FlowCaller;

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningIdentity(database);
  worker = await WorkerHarness.start(database, platform.kms);
});

beforeEach(async () => {
  tenant = await testTenant(database);
  flows = new FlowCaller(platform, tenant, database);
  await flows.seed();
});

afterAll(async () => {
  await worker?.stop();
  await platform?.close();
  await database?.drop();
});

const erase = (id: string) => platform.call(`/v1/kyc/subjects/${id}`, { method: 'DELETE', key: tenant.apiKey });

/** The document step with an Idempotency-Key, by the tenant; its answer contains name and birth date. */
async function documentStep(session: Session) {
  await flows.advance(session, { accepted: true });
  const input = await flows.documentInput(session);
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const answer = await flows.advance(session, input, headers);
  expect(answer.text).toContain(NAME);
  return { input, headers };
}

const storedBodies = async () =>
  (
    await database.query<{ body: Buffer | null }>('select body from identity.idempotency_key where tenant_id = $1', [
      tenant.id,
    ])
  ).map(({ body }) => body);

describe('answers stored for an Idempotency-Key of a session', () => {
  it('are sealed with the subject’s key and replayed as they were', async () => {
    const session = await flows.open();
    const { input, headers } = await documentStep(session);
    for (const body of await storedBodies()) {
      expect(body?.includes('RUIZ')).toBe(false);
      expect(body?.includes('1987')).toBe(false);
    }
    const again = await flows.advance(session, input, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toContain(NAME);
  });

  it('are erased with the subject: nobody gets them again, neither the tenant nor the erased person', async () => {
    const session = await flows.open();
    const { input, headers } = await documentStep(session);
    expect((await erase(session.subject_id)).status).toBe(200);

    const again = await flows.advance(session, input, headers);
    expect(again.status).toBe(409);
    expect(again.text).not.toContain('RUIZ');
    expect(await storedBodies()).toEqual([null]);

    const bearer = { authorization: `Bearer ${session.session_token}` };
    const byPerson = await platform.call(`/v1/flows/sessions/${session.id}/advance`, {
      body: { input },
      headers: { ...bearer, ...headers },
    });
    expect(byPerson.status).toBe(401);
    expect((await platform.call(`/v1/flows/sessions/${session.id}`, { headers: bearer })).status).toBe(401);
  });

  it('of a session’s opening are erased too: a repetition does not make the person again', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { document_type: 'CC', document_number: '1098765432', country: 'CO' };
    const open = () => platform.call<Session>('/v1/flows/sessions', { key: tenant.apiKey, body, headers });
    const first = await open();
    expect((await open()).text).toBe(first.text);
    await erase(first.body.subject_id);
    expect((await open()).status).toBe(409);
  });

  it('that the release before stored in the clear are erased as well', async () => {
    const session = await flows.open();
    const { input, headers } = await documentStep(session);
    const clear = JSON.stringify(await flows.show(session));
    await database.query(
      `update identity.idempotency_key set status = 200, sealed = false, body = convert_to($2, 'UTF8'), headers = $3
        where tenant_id = $1`,
      [tenant.id, clear, JSON.stringify({ 'Content-Type': 'application/json; charset=utf-8' })],
    );
    expect((await flows.advance(session, input, headers)).text).toContain(NAME);
    await erase(session.subject_id);
    expect((await flows.advance(session, input, headers)).status).toBe(409);
    expect(await storedBodies()).toEqual([null]);
  });

  it('are not kept for a decision that comes after the erasure', async () => {
    const session = await flows.open();
    await flows.advance(session, { accepted: true });
    await erase(session.subject_id);
    const late = await flows.advance(session, { accepted: true }, { 'idempotency-key': crypto.randomUUID() });
    expect(late.status).toBe(409);
    await eventually(async () => expect(await storedBodies()).toEqual([]));
  });
});
