import type { SignerIdentityRequest, SignerIdentityResult } from '@constancia/contracts';
import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openHosted, PersonHost, tokenIn } from '../capture/capture.fixture.ts';
import { ComplianceResults } from '../compliance/compliance-results.ts';
import { CaptureTokens } from '../hosted/capture-tokens.ts';
import { FlowCaller, runningIdentity, type RunningIdentity, WorkerHarness } from '../running-identity.fixture.ts';
import { SANDBOX_TRIGGERS } from '../sessions/sandbox-triggers.ts';
import { SignerChecks } from './signer-checks.ts';

let person: PersonHost;
let store: TestDatabase;
let platform: RunningIdentity;
let checks: SignerChecks;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store, { PERSON_URL: 'https://person.example/' });
  person = await PersonHost.of(platform);
  checks = platform.app.get(SignerChecks, { strict: false });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

const numberOf = (trigger: string) =>
  SANDBOX_TRIGGERS.find(({ name }) => name === trigger)?.documentNumber ?? '1098765432';
const wanted = (trigger: string, changes: object = {}): SignerIdentityRequest => ({
  open: {
    flow: { type: 'onboarding', code: 'default' },
    document_type: 'CC',
    document_number: numberOf(trigger),
    country: 'CO',
    email: 'ana@correo.example.co',
    locale: 'es-CO',
    ...changes,
  },
});
const STATE: SignerIdentityRequest = { open: null };

/** One check of a tenant with the default flow, as the signing module asks for it. */
class Check {
  readonly id = uuidv7();

  private constructor(
    readonly flows: FlowCaller,
    readonly request: SignerIdentityRequest,
  ) {}

  static async of(trigger: string, { credits = 1_000, ...changes }: Record<string, unknown> = {}): Promise<Check> {
    const flows = new FlowCaller(platform, await testTenant(store, { credits: credits as number }), store);
    await flows.seed();
    return new Check(flows, wanted(trigger, changes));
  }

  ask = (request: SignerIdentityRequest = this.request): Promise<SignerIdentityResult> =>
    checks.answer(this.flows.tenant.id, this.id, request);

  async sessions(): Promise<{ id: string }[]> {
    const rows = await store.query<{ id: string }>('select id from identity.flow_session where tenant_id = $1', [
      this.flows.tenant.id,
    ]);
    return rows.map(({ id }) => ({ id: typeId('fls', id) }));
  }

  async keepsAddress(): Promise<boolean> {
    const kept = 'select 1 from identity.signer_check where id = $1 and capture_sealed is not null';
    return (await store.query(kept, [this.id])).length > 0;
  }

  /** The person takes every step. */
  async walked(): Promise<{ id: string }> {
    await this.ask();
    const [session] = await this.sessions();
    await this.flows.walk(session as { id: string });
    return session as { id: string };
  }
}

describe('the session of a signer’s check', () => {
  it('is opened once by 16 messages at once, each answered with the same address', async () => {
    const check = await Check.of('approve');
    const answers = await Promise.all(Array.from({ length: 16 }, () => check.ask()));
    expect(await check.sessions()).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const [open] = answers as [{ outcome: 'open'; capture_url: string; lacks_credits: boolean }];
    expect(open).toEqual({
      outcome: 'open',
      capture_url: expect.stringMatching(/^https:\/\/person\.example\/capture#cpt_[0-9A-Za-z]{49}$/),
      lacks_credits: false,
    });
    const state = await person.call('/capture/state', { token: tokenIn(open.capture_url) });
    expect(state.body).toMatchObject({ step: 'consent', locale: 'es-CO' });
  });

  it('is opened once when the process dies before the commit, and after it before the answer', async () => {
    const check = await Check.of('approve');
    const tokens = platform.app.get(CaptureTokens, { strict: false });
    vi.spyOn(tokens, 'open').mockRejectedValueOnce(new Error('killed'));
    await expect(check.ask()).rejects.toThrow('killed');
    expect(await check.sessions()).toEqual([]);
    const lost = await check.ask();
    expect(await check.ask()).toEqual(lost);
    expect(await check.sessions()).toHaveLength(1);
  });

  it('keeps its address until the signing module has it', async () => {
    const check = await Check.of('approve');
    await check.ask();
    expect(await check.ask(STATE)).toEqual({ outcome: 'open', capture_url: null, lacks_credits: false });
    expect(await check.ask()).toMatchObject({ outcome: 'open', capture_url: null });
    expect(await check.keepsAddress()).toBe(false);
  });

  it('keeps its address no longer than the session can be taken, when the signing module never asks again', async () => {
    const check = await Check.of('approve');
    await check.ask();
    expect(await check.keepsAddress()).toBe(true);
    await store.query('update identity.flow_session set expires_at = now() where tenant_id = $1', [
      check.flows.tenant.id,
    ]);
    const [session] = (await check.sessions()) as [{ id: string }];
    expect((await check.flows.show(session)).status).toBe('failed');
    expect(await check.keepsAddress()).toBe(false);
  });

  it('belongs to its tenant: the same id of another tenant is another check', async () => {
    const [own, other] = await Promise.all([Check.of('approve'), Check.of('approve')]);
    await own.ask();
    expect(await checks.answer(other.flows.tenant.id, own.id, STATE)).toEqual({ outcome: 'unknown' });
    expect(await other.sessions()).toEqual([]);
  });

  it('is in the trail as the signing module’s, and has a subject that no other session has', async () => {
    const check = await Check.of('approve');
    await check.flows.open({ document_number: numberOf('approve'), external_ref: 'customer-1' });
    await check.ask();
    const [first, second] = await store.query<{ subject_id: string }>(
      'select distinct subject_id from identity.flow_session where tenant_id = $1',
      [check.flows.tenant.id],
    );
    expect([first, second]).toEqual([expect.anything(), expect.anything()]);
    const [opened] = await store.query<{ actor: string; data: string }>(
      `select e.actor, e.data from identity.session_event e join identity.signer_check c on c.session_id = e.session_id where c.id = $1`,
      [check.id],
    );
    expect(opened?.actor).toBe('signing');
    expect(JSON.parse(opened?.data ?? '')).toMatchObject({ signer_check: check.id, hosted: true });
  });
});

describe('a check that the signing module cancels', () => {
  const CANCEL: SignerIdentityRequest = { open: null, cancel: true };

  it('ends its session, once, and its link; nothing is held or charged', async () => {
    const check = await Check.of('approve');
    const { capture_url } = (await check.ask()) as { capture_url: string };
    const [session] = (await check.sessions()) as [{ id: string }];
    await check.flows.advance(session, { accepted: true });
    await Promise.all(Array.from({ length: 4 }, async () => expect(await check.ask(CANCEL)).toEqual({ outcome: 'cancelled' }))); // prettier-ignore
    expect(await check.flows.show(session)).toMatchObject({ status: 'failed', rejection_reason: 'cancelled' });
    expect((await person.call('/capture/state', { token: tokenIn(capture_url) })).status).toBe(404);
    expect(await check.keepsAddress()).toBe(false);
    expect(await check.flows.balance()).toEqual({ available: 1_000, held: 0 });
    const ends = `select 1 from identity.session_event e where e.tenant_id = $1 and e.type = 'cancelled' and e.actor = 'signing'`;
    expect(await store.query(ends, [check.flows.tenant.id])).toHaveLength(1);
  });

  it('releases what a comparison under way holds, and charges nothing', async () => {
    let cancelled = false;
    const worker = await WorkerHarness.start(store, platform.kms, ({ step_type }) =>
      step_type === 'document' || cancelled ? { outcome: 'pass' } : 'hold',
    );
    try {
      const check = await Check.of('no trigger');
      await check.ask();
      const [{ id }] = (await check.sessions()) as [{ id: string }];
      const session = await check.flows.show({ id });
      await check.flows.advance(session, { accepted: true });
      await check.flows.advance(session, await check.flows.documentInput(session));
      const compared = check.flows.advance(session, await check.flows.faceInput(session));
      await eventually(async () => expect(await check.flows.balance()).toEqual({ available: 920, held: 80 }));
      expect(await check.ask(CANCEL)).toEqual({ outcome: 'cancelled' });
      cancelled = true;
      await eventually(async () => expect(await check.flows.balance()).toEqual({ available: 1_000, held: 0 }));
      expect((await compared).status).not.toBe(500);
      expect(await check.flows.show(session)).toMatchObject({ status: 'failed', rejection_reason: 'cancelled' });
    } finally {
      await worker.stop();
    }
  });

  it('is not opened by a message that comes late', async () => {
    const check = await Check.of('approve');
    expect(await check.ask(CANCEL)).toEqual({ outcome: 'cancelled' });
    expect(await check.ask()).toEqual({ outcome: 'cancelled' });
    expect(await check.sessions()).toEqual([]);
  });

  it('stays as it is once it is completed', async () => {
    const check = await Check.of('approve');
    const session = await check.walked();
    expect(await check.ask(CANCEL)).toEqual({ outcome: 'cancelled' });
    expect((await check.flows.show(session)).status).toBe('completed');
  });
});

describe('what the signing module learns', () => {
  it('of a completed session: who, by which document, when and how; not the number; charged once', async () => {
    const check = await Check.of('approve');
    const session = await check.walked();
    const answers = await Promise.all(Array.from({ length: 8 }, () => check.ask(STATE)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toEqual({
      outcome: 'verified',
      verified: {
        full_name: 'PERSONA PRUEBA FICTICIA',
        document_type: 'CC',
        document_country: 'CO',
        methods: ['document', 'face'],
        liveness: 'basic',
        verified_at: (await check.flows.show(session)).completed_at,
        flow: { type: 'onboarding', code: 'default', version: 1 },
        session_id: session.id,
      },
    });
    expect(JSON.stringify(answers)).not.toContain(numberOf('approve'));
    expect(await check.flows.balance()).toEqual({ available: 920, held: 0 });
  });

  it('of a rejected one: the same, byte for byte, whatever the reason', async () => {
    const reasons = ['reject', 'sarlaft_reject', 'attempts_used_up'];
    const rejected = await Promise.all(reasons.map((name) => Check.of(name)));
    for (const check of rejected) await check.walked();
    const bodies = await Promise.all(rejected.map(async (check) => JSON.stringify(await check.ask(STATE))));
    expect(new Set(bodies)).toEqual(new Set(['{"outcome":"not_verified"}']));
  });

  it('of an expired document: that the person was not verified', async () => {
    const worker = await WorkerHarness.start(store, platform.kms, () => ({
      outcome: 'reject',
      reason: 'document_expired',
    }));
    try {
      const check = await Check.of('no trigger');
      await check.ask();
      const [session] = await check.sessions();
      const { body } = await check.flows.platform.call<{ subject_id: string }>(
        `/v1/flows/sessions/${session?.id ?? ''}`,
        { key: check.flows.tenant.apiKey },
      );
      const shown = { id: session?.id ?? '', subject_id: body.subject_id };
      await check.flows.advance(shown, { accepted: true });
      await check.flows.advance(shown, await check.flows.documentInput(shown));
      expect((await check.flows.show(shown)).rejection_reason).toBe('document_expired');
      expect(await check.ask(STATE)).toEqual({ outcome: 'not_verified' });
    } finally {
      await worker.stop();
    }
  });

  it('of one under review: that it is under review, until a person decides', async () => {
    const check = await Check.of('doubtful_name');
    const session = await check.walked();
    expect(await check.ask(STATE)).toEqual({ outcome: 'in_review' });
    const { tenant } = check.flows;
    const case_id = 'cas_01kamx9d3sf0r8y7w2k4v6b1nq';
    const ofCase = 'update identity.flow_session set case_id = $2 where id = $1';
    await store.query(ofCase, [uuidOf('fls', session.id), case_id]);
    const results = platform.app.get(ComplianceResults, { strict: false });
    await results.record(tenant.id, uuidv7(), { outcome: 'case', case_id, decision: 'approve' });
    expect(await check.ask(STATE)).toMatchObject({ outcome: 'verified' });
  });

  it('of one whose time is over: that it expired; of an erased subject: that it was not verified', async () => {
    const late = await Check.of('approve');
    await late.ask();
    await store.query('update identity.flow_session set expires_at = now() where tenant_id = $1', [
      late.flows.tenant.id,
    ]);
    expect(await late.ask(STATE)).toEqual({ outcome: 'expired' });
    const erased = await Check.of('approve');
    const session = await erased.walked();
    const { subject_id } = await erased.flows.show(session);
    await platform.call(`/v1/kyc/subjects/${subject_id}`, { method: 'DELETE', key: erased.flows.tenant.apiKey });
    expect(await erased.ask(STATE)).toEqual({ outcome: 'not_verified' });
  });
});

describe('no session is opened', () => {
  it('without credits for it; with them, the next check opens one', async () => {
    const check = await Check.of('approve', { credits: 79 });
    expect(await check.ask()).toEqual({ outcome: 'refused', reason: 'insufficient_credits' });
    expect(await check.sessions()).toEqual([]);
    expect(await (await Check.of('approve', { credits: 80 })).ask()).toMatchObject({ outcome: 'open' });
  });

  it('in a flow that is not published, does not accept the document, or compares no face', async () => {
    const reasonOf = async (changes: object) => (await (await Check.of('approve', { ...changes })).ask()) as object;
    const refused = (reason: string) => ({ outcome: 'refused', reason });
    expect(await reasonOf({ flow: { type: 'onboarding', code: 'other' } })).toEqual(refused('flow_not_published'));
    expect(await reasonOf({ document_type: 'NIT' })).toEqual(refused('document_not_accepted'));
    const check = await Check.of('approve', { flow: { type: 'onboarding', code: 'short' } });
    await store.query(
      `insert into identity.flow (id, tenant_id, code, type, version, status, steps, published_at)
       select $2, tenant_id, 'short', type, 1, 'published', jsonb_build_array(steps -> 0, steps -> 1), now()
         from identity.flow where tenant_id = $1`,
      [check.flows.tenant.id, uuidv7()],
    );
    expect(await check.ask()).toEqual(refused('flow_not_suitable'));
  });

  it('by a question about one that was never asked for', async () => {
    expect(await (await Check.of('approve')).ask(STATE)).toEqual({ outcome: 'unknown' });
  });
});

it('tells that the face cannot be compared while the tenant lacks the credits', async () => {
  const check = await Check.of('approve', { credits: 100 });
  await check.ask();
  const [session] = (await check.sessions()) as [{ id: string }];
  await check.flows.advance(session, { accepted: true });
  await check.flows.advance(session, { doc_front_uri: 'asset://sandbox/a', doc_back_uri: 'asset://sandbox/b' });
  expect(await check.ask(STATE)).toMatchObject({ outcome: 'open', lacks_credits: false });
  const other = await openHosted(check.flows, { document_number: numberOf('approve') });
  await check.flows.walk(other.session);
  expect(await check.ask(STATE)).toMatchObject({ outcome: 'open', lacks_credits: true });
});
