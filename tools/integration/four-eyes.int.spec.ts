import { eventually, testDatabase, type TestDatabase, testMember, testTenant } from '@constancia/testing';
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

type Reviewed = Session & { pending_approval?: true; detail?: string };
const REASON = 'Otra persona: fecha de nacimiento distinta, confirmada por teléfono con CANARIA.';

let store: TestDatabase;
let platform: RunningIdentity;
let compliance: RunningCompliance;
let worker: WorkerHarness;
const field = (value: string) => ({ value, source: 'pdf417', confidence: 1, checks: [], trusted: true });

beforeAll(async () => {
  store = await testDatabase();
  compliance = await runningCompliance(store);
  platform = await runningIdentity(store);
  worker = await WorkerHarness.start(store, platform.kms, ({ step_type }) => {
    if (step_type === 'face') return { outcome: 'pass' };
    const old = { surnames: 'RUIZ PEÑA', given_names: 'ANA MARIA', birth_date: '1935-04-12' };
    const fields = Object.fromEntries(Object.entries(old).map(([name, value]) => [name, field(value)]));
    return {
      outcome: 'pass',
      result: { v: 1, kind: 'cc_yellow', fields, name_trusted: true, reasons: [], quality: [], took_ms: 1 },
    };
  });
});
afterAll(async () => {
  await worker?.stop();
  await platform?.close();
  await compliance?.close();
  await store?.drop();
});

async function tenantWith(fourEyes: 'off' | 'onu' | 'all', trusted_actor = true): Promise<FlowCaller> {
  const flows = new FlowCaller(platform, await testTenant(store), store);
  const key = flows.tenant.apiKey;
  await flows.seed();
  await listsLoaded(compliance, key);
  await compliance.call('/v1/compliance-settings', {
    method: 'PUT',
    key,
    body: { four_eyes: fourEyes, trusted_actor },
  });
  await eventually(async () => {
    const { body } = await compliance.call<{ data: object[] }>('/v1/validations?status=published', { key });
    expect(body.data).toHaveLength(1);
  });
  return flows;
}

/** A session in manual_review: with a case (somebody of 91), or without one (the document is doubtful). */
async function inReview(flows: FlowCaller, { withCase }: { withCase: boolean }): Promise<Session> {
  const session = await flows.open(withCase ? {} : { document_number: '1999000002' });
  await flows.advance(session, { accepted: true });
  await flows.advance(session, await flows.documentInput(session));
  await flows.advance(session, await flows.faceInput(session));
  const answer = await flows.advance(session, {});
  expect(answer.body.status, answer.text).toBe('manual_review');
  return session;
}

const review = (flows: FlowCaller, session: Session, actor: string, decision = 'approve') =>
  platform.call<Reviewed>(`/v1/flows/sessions/${session.id}/review`, {
    key: flows.tenant.apiKey,
    body: { decision, reason: REASON },
    headers: { 'x-actor': Buffer.from(actor).toString('latin1') },
  });

const emitted = async (flows: FlowCaller) =>
  (
    await store.query<{ event_type: string }>(
      `select event_type from platform.event where tenant_id = $1 and event_type like 'subject.%'`,
      [flows.tenant.id],
    )
  ).map(({ event_type }) => event_type);

/** What members of the tenant were notified of: `name: kind, settled`. */
const notices = async (flows: FlowCaller) =>
  (
    await store.query<{ line: string }>(
      `select m.name || ': ' || n.kind || case when n.settled_at is null then '' else ', settled' end as line
         from platform.member_notification n join platform.member m on m.id = n.member_id
        where n.tenant_id = $1 order by m.name`,
      [flows.tenant.id],
    )
  ).map(({ line }) => line);

const statusOf = async (flows: FlowCaller, session: Session) =>
  (await platform.call<{ kyc_status: string }>(`/v1/kyc/subjects/${session.subject_id}`, { key: flows.tenant.apiKey }))
    .body.kyc_status;

describe.each([
  ['with a case', true],
  ['without a case', false],
])('a review of a session %s', (_, withCase) => {
  it('by one person waits for another while four eyes are on: nothing changes and nothing is emitted', async () => {
    const flows = await tenantWith('all');
    const session = await inReview(flows, { withCase });
    const first = await review(flows, session, 'ana.oficial');
    expect(first, first.text).toMatchObject({ status: 200, body: { status: 'manual_review', pending_approval: true } });
    expect(await emitted(flows)).toEqual([]);
    expect(await statusOf(flows, session)).toBe('manual_review');

    for (const same of ['ana.oficial', ' ANA.Oficial ', 'аnа.oficial', 'ana\u200b.oficial']) {
      expect((await review(flows, session, same)).status, same).toBe(409);
    }
    expect(await emitted(flows)).toEqual([]);

    const second = await review(flows, session, 'luis.jefe');
    expect(second, second.text).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(second.body).not.toHaveProperty('pending_approval');
    expect(await emitted(flows)).toEqual(['subject.verified']);
    expect(await statusOf(flows, session)).toBe('approved');
  });

  it('notifies those who may be the second person, until there was one', async () => {
    const flows = await tenantWith('all');
    const member = (role: 'analyst' | 'supervisor', name: string) => testMember(store, flows.tenant.id, role, { name });
    const [ana, berta] = [await member('analyst', 'Ana'), await member('supervisor', 'Berta')];
    await member('analyst', 'Carla');
    const session = await inReview(flows, { withCase });
    const decide = ({ token }: { token: string }) =>
      platform.call<Reviewed>(`/v1/flows/sessions/${session.id}/review`, {
        member: token,
        body: { decision: 'approve', reason: REASON },
      });
    expect((await decide(ana)).body).toMatchObject({ status: 'manual_review', pending_approval: true });
    const kind = withCase ? 'case_awaiting_approval' : 'session_awaiting_approval';
    expect(await notices(flows)).toEqual([`Berta: ${kind}`]);
    expect((await decide(berta)).body).toMatchObject({ status: 'completed' });
    expect(await notices(flows)).toEqual([`Berta: ${kind}, settled`]);
  });

  it('by a name that nobody vouches for is not the second person', async () => {
    const flows = await tenantWith('all', false);
    const session = await inReview(flows, { withCase });
    await review(flows, session, 'ana.oficial');
    const second = await review(flows, session, 'luis.jefe');
    expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('trusted_actor')]);
    expect(await emitted(flows)).toEqual([]);
    expect(await flows.show(session)).toMatchObject({ status: 'manual_review', pending_approval: true });
  });

  it('by another person with another decision takes the place of the first, and waits in turn', async () => {
    const flows = await tenantWith('all');
    const session = await inReview(flows, { withCase });
    await review(flows, session, 'ana.oficial', 'approve');
    const other = await review(flows, session, 'luis.jefe', 'reject');
    expect(other.body).toMatchObject({ status: 'manual_review', pending_approval: true });
    const agreed = await review(flows, session, 'ana.oficial', 'reject');
    expect(agreed.body, agreed.text).toMatchObject({ status: 'failed', rejection_reason: 'manual_review' });
    expect(await emitted(flows)).toEqual(['subject.rejected']);
  });

  it('notifies analysts while nobody else may be the second person, and nobody of what one person decided', async () => {
    const flows = await tenantWith('all');
    await store.query(`update platform.member set status = 'suspended' where tenant_id = $1`, [flows.tenant.id]);
    await testMember(store, flows.tenant.id, 'analyst', { name: 'Carla' });
    await testMember(store, flows.tenant.id, 'auditor', { name: 'Elsa' });
    await review(flows, await inReview(flows, { withCase }), 'ana.oficial');
    expect(await notices(flows)).toEqual(withCase ? [] : ['Carla: session_awaiting_approval']);
    const alone = await tenantWith('off');
    await testMember(store, alone.tenant.id, 'supervisor');
    await review(alone, await inReview(alone, { withCase }), 'ana.oficial');
    expect(await notices(alone)).toEqual([]);
  });

  it('by one person is enough while four eyes are off; what was written is sealed', async () => {
    const flows = await tenantWith('off');
    const session = await inReview(flows, { withCase });
    expect((await review(flows, session, 'ana.oficial')).body).toMatchObject({ status: 'completed' });
    const rows = await store.query<{ text: string }>(
      `select e::text as text from identity.session_event e where tenant_id = $1
        union all select s::text from identity.flow_session s where tenant_id = $1
        union all select r::text from identity.session_review r where tenant_id = $1`,
      [flows.tenant.id],
    );
    for (const { text } of rows) expect(text).not.toMatch(/CANARIA|confirmada/);
    const { body } = await platform.call(`/v1/flows/sessions/${session.id}/audit`, { key: flows.tenant.apiKey });
    expect(body).toMatchObject({
      chain_valid: true,
      reviews: [{ actor: 'ana.oficial', status: 'decided', reason: REASON }],
    });
  });
});

it('a review while the compliance module is unavailable changes nothing until it answers', async () => {
  const flows = await tenantWith('off');
  const session = await inReview(flows, { withCase: true });
  await compliance.close();
  const waiting = await review(flows, session, 'ana.oficial');
  expect(waiting.body).toMatchObject({ status: 'manual_review', pending_approval: true });
  expect(await emitted(flows)).toEqual([]);
  compliance = await runningCompliance(store);
  await eventually(async () => expect(await flows.show(session)).toMatchObject({ status: 'completed' }), 20_000);
  expect(await emitted(flows)).toEqual(['subject.verified']);
});
