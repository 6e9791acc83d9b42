import { PRICE } from '@constancia/contracts';
import { typeId, uuidOf } from '@constancia/kernel';
import { eventually, testBrand, testDatabase, type TestDatabase } from '@constancia/testing';
import { findCanaries } from '@constancia/testing/canary-scan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnSubjects } from '../oidc/api/own-subjects.ts';
import { signedInPerson } from '../wallet/signed-in-person.fixture.ts';
import { documentOf, RunningWallets, type VerifiedPerson } from '../wallet/wallet.fixture.ts';
import { AskingTenant, ConsentPage } from './reuse.fixture.ts';

const CÉDULA = documentOf('approve');
const ANA = 'ana.ruiz@correo.example.co';
const NOBODY = 'nobody@correo.example.co';

let store: TestDatabase;
let wallets: RunningWallets;
let ana: VerifiedPerson;
let walletId: string;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  ({ person: ana, walletId } = await wallets.keeper(CÉDULA, ANA));
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

interface Receipt {
  id: string;
  kind: string;
  text: string;
  text_sha256: string;
  revoked_at: string | null;
  shared: { with: string; claims: string[] } | null;
}

const me = async <Body>(path: string, options: { method?: string; body?: object } = {}) => {
  const token = await signedInPerson(wallets.platform, store, walletId);
  return wallets.platform.call<Body>(`/v1/wallet/me${path}`, {
    ...options,
    headers: { authorization: `Bearer ${token}` },
  });
};
const unlock = () => store.query(`update identity.sign_in_code set wrong_attempts = 0, locked_until = null`);

describe('approving', () => {
  it('gives the tenant what was agreed to, once and for 32 credits, with the events of a flow and a receipt for the person', async () => {
    const bank = await AskingTenant.create(wallets);
    const { shown: brand } = await testBrand(store, bank.tenant.id);
    const { id, page } = await bank.link({ external_ref: 'customer-1', metadata: { a: 'b' } });
    const state = await page.stepUp(ANA);
    expect(state).toMatchObject({ step: 'decide', obstacle: null, tenant: brand });
    const name = state.claims.find((claim) => claim.name === 'full_name');
    expect(name?.value_masked).toMatch(/^\p{L}•/u);
    const first = await page.approve(state);
    expect(first).toMatchObject({ status: 200, body: { redirect_to: null } });
    const again = await page.approve(state);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await bank.balance()).toEqual({ available: 968, held: 0, entries: ['hold -32', 'capture 0'] });

    const { body: shown } = await bank.show(id);
    const subjectId = shown.subject_id as string;
    expect(shown).toMatchObject({
      ...{ status: 'approved', credits_debited: PRICE.kycReuse, claims_requested: ['full_name'] },
      verification: { source: 'wallet', level: 'document_face' },
      claims: { document_type: 'CC', document_country: 'CO' },
    });
    const subject = await wallets.platform.call(`/v1/kyc/subjects/${subjectId}`, { key: bank.tenant.apiKey });
    expect(subject.body).toMatchObject({
      ...{ kyc_status: 'approved', external_ref: 'customer-1', document_number_masked: null, birth_date: null },
      full_name: shown.claims?.full_name,
    });
    const events = await bank.events();
    expect(events.map(({ type }) => type)).toEqual(['subject.verified', 'wallet.presentation.approved']);
    expect(events[0]?.payload).toEqual({
      ...{ subject_id: subjectId, external_ref: 'customer-1', kyc_status: 'approved', document_type: 'CC' },
      ...{ document_country: 'CO', subject_age_years: null, restrictive_list_hits: [] },
    });
    const everything = JSON.stringify([shown, subject.body, events]);
    expect(everything).not.toContain(CÉDULA);
    expect(everything).not.toContain(ana.flows.tenant.slug);
    expect(everything).not.toContain(ana.flows.tenant.id);

    const { body: consents } = await me<{ data: Receipt[] }>('/consents');
    const receipt = consents.data.find(({ kind }) => kind === 'share');
    expect(receipt).toMatchObject({ text: state.consent?.text, text_sha256: state.consent?.sha256, revoked_at: null });
    expect(receipt?.shared?.claims).toEqual(['document_type', 'document_country', 'full_name']);
    const subjects = wallets.platform.app.get(OwnSubjects, { strict: false });
    const person = { tenantId: bank.tenant.id, walletId };
    const isTheirs = () => subjects.owns(person, uuidOf('sub', subjectId) as string, 'evidence');
    expect(await isTheirs()).toBe(true);
    const known = subjects.owns(person, uuidOf('sub', subjectId) as string, 'evidence_and_document');
    expect(await known).toBe(false); // the number was not given: sessions and pictures of this external_ref stay closed
    const keptAt = { tenantId: ana.flows.tenant.id, walletId };
    expect(await subjects.owns(keptAt, uuidOf('sub', ana.subjectId) as string, 'evidence')).toBe(true);
    const path = `/consents/${receipt?.id}/revoke`;
    const revoked = await me<Receipt>(path, { body: {} });
    expect(revoked.status).toBe(200);
    expect(await isTheirs()).toBe(false);
    expect((await me<Receipt>(path, { body: {} })).body.revoked_at).toBe(revoked.body.revoked_at);
    expect((await bank.events()).filter(({ type }) => type === 'wallet.consent.revoked')).toHaveLength(1);
    expect((await bank.show(id)).body.consent_revoked_at).toBe(revoked.body.revoked_at);
    const keep = consents.data.find(({ kind }) => kind === 'keep');
    expect((await me(`/consents/${keep?.id}/revoke`, { body: {} })).status).toBe(409);
    expect((await me(`/consents/${typeId('wco')}/revoke`, { body: {} })).status).toBe(404);
  });

  it('needs the text that was shown, every claim, and a verification that answers the request', async () => {
    const bank = await AskingTenant.create(wallets);
    const { page } = await bank.link({ claims: ['full_name', 'document_number'] });
    const state = await page.stepUp(ANA);
    const few = await page.approve({ ...state, claims: state.claims.slice(1) });
    expect(few.status).toBe(400);
    const other = { ...(state.consent as NonNullable<typeof state.consent>), sha256: 'ab'.repeat(32) };
    expect((await page.approve({ ...state, consent: other })).status).toBe(400);
    expect((await page.approve(state)).status).toBe(200);

    const { body } = await bank.discover('1098765432');
    const { page: wrong } = await bank.link({ wallet_hint: undefined, discovery_id: body.discovery_id });
    const decided = await wrong.stepUp(ANA);
    expect(decided).toMatchObject({ obstacle: 'other_person', consent: null });
    expect((await wrong.approve({ ...decided, consent: state.consent })).status).toBe(422);
    await store.query(`update identity.wallet_verification set verified_at = now() - interval '2 days'`);
    const { page: old } = await bank.link({ max_age_days: 1 });
    expect((await old.stepUp(ANA)).obstacle).toBe('too_old');
    await store.query('update identity.wallet_verification set verified_at = now()');
    expect(await bank.balance()).toMatchObject({ held: 64, available: 1_000 - 96 });
  });

  it('ends with its time, a cancellation or a refusal: 409 for the browser that proved whose the wallet is, 404 for any other', async () => {
    const bank = await AskingTenant.create(wallets);
    for (const end of ['expire', 'cancel', 'decline'] as const) {
      const { id, page } = await bank.link();
      const state = await page.stepUp(ANA);
      if (end === 'decline') await page.call('decline', { tell_tenant: false });
      else await bank[end](id);
      expect([end, (await page.approve(state)).status]).toEqual([end, 409]);
      const stranger = page.stranger();
      expect([end, (await stranger.state()).status]).toEqual([end, 404]);
    }
    expect((await bank.events()).some(({ type }) => type === 'subject.verified')).toBe(false);
  });
});

describe('a link alone', () => {
  it('approves nothing, tells nothing, and is the same 404 as any other text once it is over', async () => {
    const bank = await AskingTenant.create(wallets);
    const { id, page } = await bank.link();
    const state = await page.stepUp(ANA);
    const stranger = page.stranger();
    const { body: before } = await stranger.state();
    expect(before).toMatchObject({ step: 'identify', verification: null, consent: null });
    expect(before.claims.every(({ value_masked }) => value_masked === null)).toBe(true);
    expect((await stranger.approve(state)).status).toBe(409);
    expect((await stranger.call('decline', { tell_tenant: true })).status).toBe(409);
    expect((await bank.show(id)).body.status).toBe('pending');
    await bank.cancel(id);
    const unknown = new ConsentPage(wallets, 'A'.repeat(43));
    const anon = ({ status, text, headers }: Awaited<ReturnType<ConsentPage['state']>>) => [
      status,
      text.replace(/"request_id":"[^"]*"/, ''),
      [...headers.keys()].sort(),
    ];
    expect(anon(await page.stranger().state())).toEqual(anon(await unknown.state()));
  });

  it('takes requests from its own page and browser alone', async () => {
    const bank = await AskingTenant.create(wallets);
    const { page } = await bank.link();
    const { headers, body } = await page.state();
    expect(headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
    expect(headers.get('cache-control')).toBe('no-store');
    const send = { identifier: ANA };
    expect((await page.call('otp/send', send, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await page.call('otp/send', { ...send, nonce: 'A'.repeat(43) })).status).toBe(400);
    expect((await page.stranger().call('otp/send', { ...send, nonce: body.nonce })).status).toBe(400);
    expect((await page.call('otp/send', {})).status).toBe(400);
  });

  it('answers the same for the address of a wallet and for any other, and ends after five wrong codes', async () => {
    const bank = await AskingTenant.create(wallets);
    const seen: unknown[] = [];
    for (const address of [ANA, NOBODY]) {
      await unlock();
      await wallets.forgetSends();
      const { id, page } = await bank.link();
      await page.state();
      const sent = await page.call('otp/send', { identifier: address });
      const wrong = [];
      for (let times = 0; times < 6; times += 1) wrong.push(await page.call('otp/verify', { code: '000000' }));
      seen.push([
        sent.status,
        sent.text,
        wrong.map(({ status, body }) => [status, (body as { detail?: string }).detail]),
      ]);
      expect(wrong.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 404]);
      expect((await bank.show(id)).body.status).toBe('pending');
    }
    expect(seen[1]).toEqual(seen[0]);
    await unlock();
    await eventually(async () => expect(await store.query('select 1 from identity.wallet_mail')).toEqual([]), 20_000);
    expect(wallets.mailbox.messages(NOBODY)).toEqual([]);
  });

  it('is asked ten times a minute at most', async () => {
    const { page } = await (await AskingTenant.create(wallets)).link();
    const statuses = [];
    for (let times = 0; times < 11; times += 1) statuses.push((await page.state()).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it('looks to the tenant like a request that nobody answers, until its time is over', async () => {
    const bank = await AskingTenant.create(wallets);
    const { id, page } = await bank.link();
    await page.state();
    expect((await page.call('decline', { tell_tenant: false })).status).toBe(200);
    expect((await bank.show(id)).body).toMatchObject({ status: 'pending', credits_held: 32 });
    expect(await bank.balance()).toMatchObject({ held: 32, entries: ['hold -32'] });
    expect(await bank.events()).toEqual([]);
    await bank.expire(id);
    expect((await bank.show(id)).body.status).toBe('expired');
    expect((await bank.events()).map(({ type }) => type)).toEqual(['wallet.presentation.expired']);
  });

  it('reaches the tenant when a person who proved whose the wallet is wants that, and a report does not', async () => {
    const bank = await AskingTenant.create(wallets);
    const { id, page } = await bank.link();
    await page.stepUp(ANA);
    expect((await page.call('decline', { tell_tenant: true })).status).toBe(200);
    expect((await page.call('decline', { tell_tenant: true })).status).toBe(200);
    expect((await bank.show(id)).body).toMatchObject({ status: 'declined', credits_held: 0 });
    expect(await bank.balance()).toMatchObject({ available: 1_000, entries: ['hold -32', 'release 32'] });
    expect((await bank.events()).map(({ type }) => type)).toEqual(['wallet.presentation.declined']);
    const reported = await bank.link();
    await reported.page.state();
    expect((await reported.page.call('report', {})).status).toBe(200);
    expect((await bank.show(reported.id)).body.status).toBe('pending');
  });
});

it('a code that could not be mailed for ten minutes is given up, so that it takes the place of no later one', async () => {
  const { id } = await (await AskingTenant.create(wallets)).link();
  await store.query(
    `insert into identity.wallet_mail (kind, contact_index, presentation_id, created_at, due_at)
     values ('consent_code', $1, $2, now() - interval '11 minutes', now() + interval '1 hour')`,
    [Buffer.alloc(32, 1), uuidOf('wpr', id)],
  );
  await eventually(async () => {
    expect(await store.query(`select 1 from identity.wallet_mail where kind = 'consent_code'`)).toEqual([]);
  }, 20_000);
});

describe('an erasure', () => {
  it('of the subject leaves the wallet, and of the wallet leaves nothing of the person but what tenants hold', async () => {
    const bank = await AskingTenant.create(wallets);
    const { id, page } = await bank.link({
      claims: ['full_name', 'document_number'],
      external_ref: 'customer-to-erase',
    });
    await page.approve(await page.stepUp(ANA));
    const { body } = await bank.show(id);
    expect(body.claims?.document_number).toBe(CÉDULA);
    const erased = await wallets.platform.call(`/v1/kyc/subjects/${body.subject_id}`, {
      method: 'DELETE',
      key: bank.tenant.apiKey,
    });
    expect(erased.status).toBe(200);
    expect((await bank.show(id)).body).toMatchObject({
      status: 'approved',
      claims: null,
      external_ref: null,
      metadata: {},
    });
    expect((await me('/export')).status).toBe(200);

    const { page: open } = await bank.link();
    const state = await open.stepUp(ANA);
    expect((await me('', { method: 'DELETE' })).status).toBe(200);
    expect((await open.approve(state)).status).toBe(404);
    expect(await findCanaries((sql, params) => store.query(sql, params), [ANA, CÉDULA])).toEqual([]);
    const rows = await store.query('select 1 from identity.wallet_verification where wallet_id = $1', [walletId]);
    expect(rows).toEqual([]);
  });
});
