import { uuidOf, uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openHosted, tokenIn } from '../capture/capture.fixture.ts';
import { AskingTenant, ConsentPage, tokenOf } from '../consent/reuse.fixture.ts';
import { FlowCaller, type Session } from '../running-identity.fixture.ts';
import { SignerChecks } from '../signers/signer-checks.ts';
import { Wallets } from '../wallet/me/wallets.ts';
import { signedInPerson } from '../wallet/signed-in-person.fixture.ts';
import { documentOf, RunningWallets } from '../wallet/wallet.fixture.ts';

const CÉDULA = documentOf('approve');
const ANA = 'ana.ruiz@correo.example.co';
const CLAIMS = ['full_name', 'birth_date', 'document_number'];

let store: TestDatabase;
let wallets: RunningWallets;
let bank: AskingTenant;
let flows: FlowCaller;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  await wallets.keeper(CÉDULA, ANA);
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});
beforeEach(async () => {
  bank = await AskingTenant.create(wallets);
  flows = new FlowCaller(wallets.platform, bank.tenant, store);
  await flows.seed();
});

const open = (external_ref: string) => flows.open({ external_ref, document_number: CÉDULA });

/** The person gives what a tenant asks for; answers the id of the request. */
async function given(external_ref: string, claims = CLAIMS, asking = bank): Promise<string> {
  const { id, page } = await asking.link({ external_ref, claims });
  expect((await page.approve(await page.stepUp(ANA))).status).toBe(200);
  return id;
}

const consent = (session: Pick<Session, 'id'>, id: string) =>
  flows.advance(session, { accepted: true, reuse_presentation_id: id });

describe('a session whose person presented a kept verification', () => {
  it('goes on after document and face, and ends with its own screening', async () => {
    const session = await open('customer-1');
    const id = await given('customer-1');
    const before = await bank.balance();
    const { status, body } = await consent(session, id);
    expect([status, body.current_step, body.reused_presentation_id]).toEqual([200, 'sarlaft', id]);
    const { verification } = (await bank.show(id)).body as unknown as {
      verification: { verified_at: string; level: string };
    };
    const fact = {
      reused: true,
      presentation_id: id,
      level: verification.level,
      verified_at: verification.verified_at,
    };
    expect(body.context).toMatchObject({ consent: { accepted: true }, document_upload: fact, face_match: fact });
    expect(await bank.balance()).toEqual(before);
    expect(await flows.walk(session)).toEqual(['sarlaft 200 advance']);
    expect(await flows.show(session)).toMatchObject({ status: 'completed', reused_presentation_id: id });
    const [subject] = await store.query<{ verified_at: Date }>(
      'select verified_at from identity.subject where id = $1',
      [uuidOf('sub', session.subject_id)],
    );
    expect(subject?.verified_at.toISOString()).toBe(verification.verified_at);
    const verified = (await bank.events()).filter(({ type }) => type === 'subject.verified');
    expect(verified.map(({ payload }) => payload.subject_id)).toEqual([session.subject_id, session.subject_id]);
    const { body: trail } = await wallets.platform.call<{ data: { type: string; data: object }[] }>(
      `/v1/flows/sessions/${session.id}/audit`,
      { key: bank.tenant.apiKey },
    );
    expect(trail.data.map(({ type }) => type)).toEqual([
      'opened',
      'consent_given',
      'step_started',
      'step_accepted',
      'completed',
    ]);
    expect(trail.data[1]?.data).toMatchObject({
      reuse: { presentation_id: id, steps: ['document_upload', 'face_match'] },
    });
  });

  it('uses a request once, however many sessions want it at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => open('customer-2')));
    const id = await given('customer-2');
    const answers = await Promise.all(sessions.map((session) => consent(session, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
  });

  it('refuses, and changes nothing: what was not approved, withdrawn, or is another’s', async () => {
    const session = await open('customer-3');
    const pending = (await bank.link({ external_ref: 'customer-3', claims: CLAIMS })).id;
    const foreign = await given('customer-3', CLAIMS, await AskingTenant.create(wallets));
    const ofAnother = await given('customer-4');
    const nameless = await given('customer-3', ['birth_date', 'document_number']);
    const numberless = await given('customer-3', ['full_name']);
    expect(await refusals(session, [pending, foreign, 'wpr_x', ofAnother, nameless, numberless])).toEqual([
      '409 state-conflict',
      '404 not-found',
      '404 not-found',
      '422 unprocessable-entity',
      '422 unprocessable-entity',
      '422 unprocessable-entity',
    ]);
    const signers = await open('customer-8');
    await store.query(
      'insert into identity.signer_check (id, tenant_id, session_id) values (gen_random_uuid(), $1, $2)',
      [bank.tenant.id, uuidOf('fls', signers.id)],
    );
    expect(await refusals(signers, [await given('customer-8')])).toEqual(['422 unprocessable-entity']);
    const withdrawn = await given('customer-3');
    await withdraw();
    expect(await refusals(session, [withdrawn])).toEqual(['409 state-conflict']);
    expect(await flows.show(session)).toMatchObject({ status: 'in_progress', current_step: 'consent', context: {} });
    expect(await flows.walk(session)).toContain('face_match 200 advance');
  });

  it('of another document, or too old for the flow, takes the steps itself', async () => {
    const id = await given('customer-5');
    const session = await flows.open({ external_ref: 'customer-5', document_number: documentOf('review') });
    expect(await refusals(session, [id])).toEqual(['422 unprocessable-entity']);
    const late = await open('customer-7');
    const old = await given('customer-7');
    await store.query(
      `update identity.wallet_presentation set verified_at = now() - interval '91 days' where id = $1`,
      [uuidOf('wpr', old)],
    );
    const { status, body } = await consent(late, old);
    expect([status, body.type, body.reason]).toEqual([422, expect.stringMatching('kyc-rejected$'), 'reuse_liveness']);
    expect((await flows.walk(late)).length).toBe(4);
  });
});

describe('the signer of a check, on the capture page', () => {
  it('gives a kept verification instead of pictures: once for 32, however often everything is repeated', async () => {
    const signer = await Signer.start();
    expect((await signer.state()).reuse).toEqual({ status: 'offered', consent_url: null });
    const asked = await Promise.all(Array.from({ length: 16 }, () => signer.ask()));
    const urls = new Set(asked.map(({ body }) => body.reuse?.consent_url));
    expect([urls.size, asked.every(({ status }) => status === 200)]).toEqual([1, true]);
    expect(await bank.balance()).toMatchObject({ available: 968, held: 32 });
    const page = new ConsentPage(wallets, tokenOf([...urls][0] as string));
    const shown = await page.stepUp(ANA);
    expect(shown.purpose).toContain('solo si usted abrió esta página desde su firma');
    const approved = await Promise.all(Array.from({ length: 6 }, () => page.approve(shown)));
    expect(approved.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await signer.state()).reuse).toEqual({ status: 'given', consent_url: null });
    const advanced = await Promise.all(Array.from({ length: 16 }, () => signer.advance({ accepted: true })));
    expect(advanced.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect((await signer.state()).step).toBe('sarlaft');
    await signer.advance({});
    expect(await signer.state()).toMatchObject({ result: 'verified', reuse: null });
    const answers = await Promise.all(Array.from({ length: 8 }, () => signer.result()));
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    const given = (await bank.events()).find(({ type }) => type === 'wallet.presentation.approved')?.payload;
    expect(answers[0]).toMatchObject({
      outcome: 'verified',
      verified: {
        full_name: 'PERSONA PRUEBA FICTICIA',
        methods: ['wallet'],
        liveness: null,
        kept: { level: given?.level, verified_at: given?.verified_at, proved_by: 'otp' },
        session_id: (given?.metadata as { session_id: string }).session_id,
      },
    });
    expect(JSON.stringify(answers)).not.toContain(CÉDULA);
    expect(await bank.balance()).toMatchObject({ available: 968, held: 0 });
    await withdraw();
    expect(await signer.result()).toEqual(answers[0]);
  });

  it('that is declined, or expires, costs nothing: the person takes the pictures', async () => {
    const signer = await Signer.start();
    const declined = await signer.consentPage();
    await declined.state();
    expect((await declined.call('decline', { tell_tenant: false })).status).toBe(200);
    expect((await signer.state()).reuse?.status).toBe('offered');
    const late = await signer.consentPage();
    const shown = await late.stepUp(ANA);
    await store.query(`update identity.wallet_presentation set expires_at = now() where tenant_id = $1`, [
      bank.tenant.id,
    ]);
    expect((await late.approve(shown)).status).toBe(409);
    const unanswered = await signer.consentPage();
    const decide = await unanswered.stepUp(ANA);
    await signer.pictures();
    expect([409, 404]).toContain((await unanswered.approve(decide)).status);
    expect(await signer.result()).toMatchObject({ verified: { methods: ['document', 'face'], liveness: 'basic' } });
    expect(await bank.balance()).toMatchObject({ available: 920, held: 0 });
  });

  it('that was withdrawn before it was used is not used; nor is a wallet of another person', async () => {
    const signer = await Signer.start();
    const page = await signer.consentPage();
    await page.approve(await page.stepUp(ANA));
    await withdraw();
    expect((await signer.state()).reuse?.status).toBe('offered');
    await signer.advance({ accepted: true });
    expect((await signer.state()).step).toBe('document_upload');
    const other = await Signer.start(documentOf('review'));
    const foreign = await other.consentPage();
    expect(await foreign.stepUp(ANA)).toMatchObject({ obstacle: 'other_person', consent: null });
    expect((await signer.ask()).status).toBe(409);
    expect(await other.cancel()).toEqual({ outcome: 'cancelled' });
    expect(await bank.balance()).toMatchObject({ available: 968, held: 0 });
  });

  it('that a flow does not accept is refused before it costs anything, or not offered', async () => {
    const setFace = (config: object) =>
      store.query(
        `update identity.flow set steps = (select jsonb_agg(case s ->> 'step_type' when 'face_match'
           then jsonb_set(s, '{config}', (s -> 'config') || $2::jsonb) else s end) from jsonb_array_elements(steps) s)
          where tenant_id = $1`,
        [bank.tenant.id, JSON.stringify(config)],
      );
    await setFace({ liveness_mode: 'active' });
    const page = await (await Signer.start()).consentPage();
    expect(await page.stepUp(ANA)).toMatchObject({ obstacle: 'missing', consent: null });
    await setFace({ reuse_requires_liveness: 'always' });
    expect((await (await Signer.start()).state()).reuse).toBeNull();
    expect((await openHosted(flows, { document_number: CÉDULA })).session.status).toBe('in_progress');
  });

  it('gets the same answer for every rejection; what an erased wallet gave stands', async () => {
    const screened = await Signer.start();
    const first = await screened.consentPage();
    await first.approve(await first.stepUp(ANA));
    await store.query(`update identity.flow_session set trigger = 'sarlaft_reject' where tenant_id = $1`, [
      bank.tenant.id,
    ]);
    await screened.advance({ accepted: true });
    await screened.advance({});
    const pictured = await Signer.start(documentOf('reject'));
    await pictured.pictures();
    const told = await Promise.all(
      [screened, pictured].map(async (one) => {
        const { result, retry_reason, reuse } = await one.state();
        return JSON.stringify([await one.result(), result, retry_reason, reuse]);
      }),
    );
    expect(new Set(told)).toEqual(new Set(['[{"outcome":"not_verified"},"not_verified",null,null]']));
    const signer = await Signer.start();
    const page = await signer.consentPage();
    await page.approve(await page.stepUp(ANA));
    const [wallet] = await store.query<{ wallet_id: string }>(
      'select wallet_id from identity.wallet where erased_at is null',
    );
    await wallets.platform.app.get(Wallets, { strict: false }).erase(wallet?.wallet_id as string);
    await signer.advance({ accepted: true });
    await signer.advance({});
    expect(await signer.result()).toMatchObject({ outcome: 'verified', verified: { methods: ['wallet'] } });
  });
});

/** A signer on the capture page of a check that the signing module asked for. */
class Signer {
  private constructor(
    private readonly id: string,
    private readonly token: string,
  ) {}

  static async start(document_number = CÉDULA): Promise<Signer> {
    const id = uuidv7();
    const opened = await checks().answer(bank.tenant.id, id, {
      open: {
        flow: { type: 'onboarding', code: 'default' },
        ...{ document_type: 'CC', document_number, country: 'CO', email: ANA, locale: 'es-CO' },
      },
    });
    return new Signer(id, tokenIn((opened as { capture_url: string }).capture_url));
  }

  result = () => checks().answer(bank.tenant.id, this.id, { open: null });
  cancel = () => checks().answer(bank.tenant.id, this.id, { open: null, cancel: true });
  state = async () => (await wallets.host.call('/capture/state', { token: this.token })).body;
  ask = () => wallets.host.call('/capture/reuse', { token: this.token, body: {} });

  async consentPage(): Promise<ConsentPage> {
    return new ConsentPage(wallets, tokenOf((await this.ask()).body.reuse?.consent_url as string));
  }

  async advance(input: object) {
    const { consent } = await this.state();
    const version = consent && 'accepted' in input ? { locale: consent.locale, version: consent.version } : {};
    return wallets.host.call('/capture/advance', { token: this.token, body: { input: { ...input, ...version } } });
  }

  async pictures(): Promise<void> {
    await this.advance({ accepted: true });
    await this.advance({ doc_front_uri: 'asset://sandbox/a', doc_back_uri: 'asset://sandbox/b' });
    await this.advance({ selfie_uri: 'asset://sandbox/c' });
    await this.advance({});
  }
}

const checks = (): SignerChecks => wallets.platform.app.get(SignerChecks, { strict: false });

async function refusals(session: Pick<Session, 'id'>, ids: string[]): Promise<string[]> {
  const seen: string[] = [];
  for (const id of ids) {
    const { status, body } = await consent(session, id);
    seen.push(`${status} ${String(body.type).split('/').at(-1)}`);
  }
  return seen;
}

/** The person withdraws every consent to give something. */
async function withdraw(): Promise<void> {
  const [wallet] = await store.query<{ wallet_id: string }>(
    'select wallet_id from identity.wallet where erased_at is null',
  );
  const token = await signedInPerson(wallets.platform, store, wallet?.wallet_id as string);
  const { body } = await wallets.host.call<{ data: { id: string; kind: string }[] }>('/v1/wallet/me/consents', {
    token,
  });
  for (const { id, kind } of body.data.filter((one) => one.kind === 'share'))
    expect((await wallets.host.call(`/v1/wallet/me/consents/${id}/revoke`, { token, body: {} })).status, kind).toBe(
      200,
    );
}
