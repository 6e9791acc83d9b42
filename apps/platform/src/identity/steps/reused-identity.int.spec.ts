import { uuidOf } from '@constancia/kernel';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AskingTenant } from '../consent/reuse.fixture.ts';
import { FlowCaller, type Session } from '../running-identity.fixture.ts';
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
  await (await wallets.verified(CÉDULA)).keep(ANA);
  await wallets.mail(ANA, 1);
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
