import {
  WALLET_PASSKEY_ROUTES,
  WALLET_RECOVERY_ROUTES,
  WALLET_ROUTES,
  type WalletCredentialOffer,
  type WalletPasskeyFacts,
  type WalletRecoveryFacts,
  type WalletSummary,
} from '@constancia/contracts';
import { uuidOf } from '@constancia/kernel';
import { STATUS } from '@constancia/status-list';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SoftAuthenticator } from '../../../../../../libs/auth/src/passkeys/authenticator.fixture.ts';
import { signedInPerson } from '../signed-in-person.fixture.ts';
import { HolderKeyPair, WalletApp } from '../issuance/wallet-app.fixture.ts';
import { codeIn, RunningWallets } from '../wallet.fixture.ts';
import { CheckHarness, ORIGIN, RecoveringPerson } from './recovery.fixture.ts';
import { RecoveryMails } from './recovery-mails.ts';
import { RecoverySweep } from './recovery-sweep.ts';

let store: TestDatabase;
let wallets: RunningWallets;
let checks: CheckHarness;
let next: { outcome: 'pass' | 'reject' | 'review' | 'retry' | 'error'; reason?: string };

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store, { PERSON_URL: `${ORIGIN}/` });
  checks = new CheckHarness(store, () => next);
});
afterAll(async () => {
  await checks?.stop();
  await wallets?.close();
  await store?.drop();
});

const { start, verify } = WALLET_RECOVERY_ROUTES;
const call = <Body = object>(path: string, options: { token?: string; body?: object; method?: string } = {}) =>
  wallets.host.call<Body>(path, options);
const show = async (id: string) =>
  (await call<WalletRecoveryFacts>(WALLET_RECOVERY_ROUTES.show.replace('{recovery_id}', id))).body;
const cancel = (token: string) =>
  call(WALLET_RECOVERY_ROUTES.cancel.replace('{cancel_token}', token), { body: {} }).then(({ status }) => status);
const sweep = () => wallets.platform.app.get(RecoverySweep, { strict: false }).run(new AbortController().signal);
const recovering = (face = true) => RecoveringPerson.of(wallets, store, { face });
const signedIn = ({ walletId }: RecoveringPerson) => signedInPerson(wallets.platform, store, walletId);
const open = async (token: string) => (await call(WALLET_ROUTES.wallet, { token })).status;
const names = async (token: string) =>
  (await call<{ data: WalletPasskeyFacts[] }>(WALLET_PASSKEY_ROUTES.passkeys, { token })).body.data.map(({ name }) => name); // prettier-ignore
const credentials = ({ walletId }: RecoveringPerson) =>
  store.query('select status from identity.wallet_credential where wallet_id = $1 order by issued_at', [walletId]);
const subjects = ({ email }: RecoveringPerson) => wallets.mailbox.messages(email).map(({ subject }) => subject);
const notice = ({ email }: RecoveringPerson) =>
  eventually(() => {
    const mail = wallets.mailbox.messages(email).find(({ subject }) => subject === 'Your wallet is being recovered');
    const token = /#cancel=([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')?.[1];
    if (token === undefined) throw new Error('no notice yet');
    return token;
  }, 20_000);

/** A passkey that the person had before. */
async function oldDevice(token: string): Promise<SoftAuthenticator> {
  const device = new SoftAuthenticator(ORIGIN);
  const { body } = await call<{ challenge: string; user: { id: string } }>(WALLET_PASSKEY_ROUTES.registration, { token, body: {} }); // prettier-ignore
  const added = await call(WALLET_PASSKEY_ROUTES.passkeys, { token, body: { name: 'Celular viejo', credential: device.create(body) } }); // prettier-ignore
  expect(added.status).toBe(201);
  return device;
}
async function signIn(device: SoftAuthenticator): Promise<number> {
  const { body } = await call<{ challenge: string }>(WALLET_PASSKEY_ROUTES.challenge, { body: {} });
  return (await call(WALLET_PASSKEY_ROUTES.signIn, { body: device.get(body) })).status;
}

/** The person puts what the wallet keeps on a device, by the offer of the page and the mailed code. */
async function takeAlong(person: RecoveringPerson): Promise<void> {
  const app = new WalletApp(wallets.platform.url);
  const before = wallets.mailbox.messages(person.email).length;
  const offer = await call<WalletCredentialOffer>(WALLET_ROUTES.offers, { token: await signedIn(person), body: {} });
  const txCode = await eventually(() => {
    const mails = wallets.mailbox.messages(person.email);
    const since = mails.slice(0, mails.length - before);
    return codeIn(since.find(({ text }) => /^\d{6}\r?$/m.test(text)) ?? { text: '' });
  }, 20_000);
  const issuer = await app.discover('http://platform.test/v1/oidc');
  const code = await app.codeIn(offer.body.credential_offer_uri);
  const { body } = await app.token(issuer.token_endpoint, code, txCode);
  const key = new HolderKeyPair();
  const proof = key.proof(issuer.credential_issuer, await app.nonce(issuer.nonce_endpoint));
  const asked = { credential_configuration_id: 'identity', proofs: { jwt: [proof] } };
  expect((await app.credential(issuer.credential_endpoint, String(body.access_token), asked)).status).toBe(200);
}

describe('a recovery', () => {
  it('is answered the same for an address that has a wallet and for any other, and ends after three wrong codes', async () => {
    const known = await recovering();
    const seen = [];
    for (const identifier of [known.email, `${'x'.repeat(known.email.length - 21)}@unknown.example.co`]) {
      const begun = await call<{ recovery_id: string }>(start, { body: { identifier } });
      const { recovery_id } = begun.body;
      const answers = [begun];
      if (identifier === known.email) await known.code(0);
      for (const code of ['000000', '000001', '000002', '000003'])
        answers.push(await call(verify, { body: { recovery_id, code } }));
      answers.push(await call(WALLET_RECOVERY_ROUTES.show.replace('{recovery_id}', recovery_id)));
      seen.push(
        answers.map(({ status, text, headers }) => ({
          status,
          bytes: text.length,
          members: Object.keys(JSON.parse(text) as object),
          headers: [...headers.keys()],
        })),
      );
      expect(answers[4]?.body).toMatchObject({ reason: 'wrong_codes' });
      expect((await show(recovery_id)).state).toBe('rejected');
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]?.map(({ status }) => status)).toEqual([202, 422, 422, 422, 409, 200]);
    const other = await call(verify, { body: { recovery_id: 'wrc_01m7z6fvqcergtyhm27t5fxcy0', code: '000000' } });
    expect(other.status).toBe(404);
  });

  it('of one address begins five times a day, however many begin at once', async () => {
    const starts = Array.from({ length: 12 }, () => call(start, { body: { identifier: 'nobody@unknown.example.co' } }));
    const statuses = (await Promise.all(starts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(5).fill(202), ...Array<number>(7).fill(429)]);
  });

  it('changes nothing until its notice is sent and 24 hours are over; then the new passkey is the only one', async () => {
    next = { outcome: 'pass' };
    const person = await recovering();
    const token = await signedIn(person);
    const device = await oldDevice(token);
    await store.query(
      `insert into identity.wallet_credential (id, wallet_id, verification_id, copies, expires_at)
       select gen_random_uuid(), wallet_id, id, 1, now() + interval '1 day' from identity.wallet_verification where wallet_id = $1`,
      [person.walletId],
    );
    const id = await person.cooling();
    const { effective_at } = await show(id);
    expect(Date.parse(effective_at ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect(await store.query('select 1 from identity.wallet_recovery_picture')).toEqual([]);
    await notice(person);
    const { body } = await call<WalletSummary>(WALLET_ROUTES.wallet, { token });
    expect(body.recovery_effective_at).toEqual(expect.any(String));
    await sweep();
    expect([await open(token), await signIn(device), await signIn(person.device)]).toEqual([200, 200, 401]);
    expect(await credentials(person)).toEqual([{ status: STATUS.valid }]);

    await eventually(() => person.due(id), 20_000);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect((await show(id)).state).toBe('completed');
    expect([await open(token), await signIn(device), await signIn(person.device)]).toEqual([401, 401, 200]);
    expect(await names(await signedIn(person))).toEqual(['Celular nuevo']);
    expect(await credentials(person)).toEqual([{ status: STATUS.revoked }]);
    await takeAlong(person);
    expect(await credentials(person)).toEqual([{ status: STATUS.revoked }, { status: STATUS.valid }]);
    await eventually(() => {
      expect(subjects(person).filter((subject) => subject === 'Your wallet was recovered')).toHaveLength(1);
    }, 20_000);
  });

  it('is announced with one link however often its notice is sent, and never completed once a notice would come too late', async () => {
    next = { outcome: 'pass' };
    const person = await recovering();
    const recovery = await person.cooling();
    const id = uuidOf('wrc', recovery) as string;
    const link = await notice(person);
    const again = () => wallets.platform.app.get(RecoveryMails, { strict: false }).cooling(id, person.walletId);
    expect((await again())?.text).toContain(`#cancel=${link}`);

    await eventually(() => person.due(recovery), 20_000);
    await store.query(`update identity.wallet_recovery set created_at = now() - interval '5 days' where id = $1`, [id]);
    expect(await again()).toBeNull();
    await sweep();
    expect((await show(recovery)).state).toBe('cooling');
    expect((await call(WALLET_ROUTES.recovery, { token: await signedIn(person), method: 'DELETE' })).status).toBe(204);
  });

  it.each([
    ['en', 'The recovery of your wallet expired', 'Nothing changed'],
    ['es-CO', 'La recuperación de su billetera venció', 'Nada cambió'],
  ])(
    'that expires while it can be cancelled is mailed once, in the language of the person (%s)',
    async (locale, subject, text) => {
      next = { outcome: 'pass' };
      const person = await recovering();
      const token = await signedIn(person);
      const recovery = await person.cooling();
      const link = await notice(person);
      await eventually(() => person.due(recovery), 20_000);
      await store.query('update identity.wallet set locale = $2 where wallet_id = $1', [person.walletId, locale]);
      await store.query(`update identity.wallet_recovery set created_at = now() - interval '6 days' where id = $1`, [
        uuidOf('wrc', recovery),
      ]);
      const waiting = () => store.query('select 1 from identity.wallet_mail where wallet_id = $1', [person.walletId]);
      const mails = () => wallets.mailbox.messages(person.email).filter((mail) => mail.subject === subject);
      await Promise.all([sweep(), sweep()]);
      await eventually(() => expect(mails()).toHaveLength(1), 20_000);
      expect(mails()[0]?.text).toContain(text);
      await eventually(async () => expect(await waiting()).toEqual([]), 20_000);
      await sweep();
      expect(await waiting()).toEqual([]);
      expect(mails()).toHaveLength(1);
      expect([await open(token), await cancel(link), await signIn(person.device)]).toEqual([200, 404, 401]);
    },
  );

  it('makes no passkey on a device that has one of the wallet: it would take its place at once', async () => {
    const person = await recovering();
    const device = await oldDevice(await signedIn(person));
    const { evidence } = await person.verified();
    const { body } = await call<{ excludeCredentials: { id: string }[] }>(`${evidence}${WALLET_RECOVERY_ROUTES.passkey}`, { body: {} }); // prettier-ignore
    expect(body.excludeCredentials.map(({ id }) => id)).toEqual([device.id.toString('base64url')]);
  });

  it('is completed or cancelled, never both, when both happen at once', async () => {
    next = { outcome: 'pass' };
    const ends = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const person = await recovering();
      const token = await signedIn(person);
      await oldDevice(token);
      const id = await person.cooling();
      const link = await notice(person);
      await eventually(() => person.due(id), 20_000);
      // Each goes first in turn: on its own the one that is called first would win every time.
      const acts = [() => cancel(link), sweep, sweep];
      const [first] = await Promise.all((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
      const { state } = await show(id);
      ends.add(state);
      if (round % 2 === 0) expect(first).toBe(state === 'cancelled' ? 200 : 404);
      expect(await names(await signedIn(person))).toEqual([state === 'cancelled' ? 'Celular viejo' : 'Celular nuevo']);
      expect(await open(token)).toBe(state === 'cancelled' ? 200 : 401);
      expect(await cancel(link)).toBe(404);
    }
    expect([...ends].every((state) => ['completed', 'cancelled'].includes(state))).toBe(true);
  });

  it('compares the face once for two requests that complete it at once, with pictures of its own alone', async () => {
    next = { outcome: 'pass' };
    const [person, other] = [await recovering(), await recovering()];
    const [own, others] = [await person.verified(), await other.verified()];
    const completion = await person.completion(own);
    const foreign = (await other.send(others.evidence)).uri;
    expect((await person.complete({ ...completion, selfie_uri: foreign })).status).toBe(400);
    const { passkey: _, ...again } = completion;
    const before = checks.seen.length;
    const answers = await Promise.all([person.complete(again), person.complete(again)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ reason: 'busy' });
    expect(checks.seen.length).toBe(before + 1);
    expect((await person.complete(again)).status).toBe(409);
    expect((await other.complete({ ...again, recovery_id: others.id })).status).toBe(400); // without a passkey
    expect((await call(`${own.evidence.slice(0, -2)}aa/challenge`, { body: {} })).status).toBe(401);
  });

  it('ends with the face of another, and after three that say nothing', async () => {
    const person = await recovering();
    next = { outcome: 'reject', reason: 'other_person' };
    const rejected = await person.complete(await person.completion(await person.verified()));
    expect(rejected.body).toMatchObject({ state: 'rejected', reason: 'not_verified' });

    const again = await person.verified();
    const seen = [];
    for (const outcome of ['retry', 'error', 'review', 'retry'] as const) {
      next = { outcome, reason: 'too_dark' };
      const { body } = await person.complete(await person.completion(again));
      seen.push([body.state, body.checks_left, body.reason]);
    }
    expect(seen).toEqual([
      ['contact_verified', 2, 'too_dark'],
      ['contact_verified', 2, 'unavailable'],
      ['contact_verified', 1, 'too_dark'],
      ['rejected', 0, 'too_dark'],
    ]);
    expect(await open(await signedIn(person))).toBe(200);
  });

  it('is not begun twice for a wallet, and is cancelled by anyone who is signed in to it', async () => {
    next = { outcome: 'pass' };
    const [person, stranger] = [await recovering(), await recovering()];
    const [token, strange] = [await signedIn(person), await signedIn(stranger)];
    const id = await person.cooling();
    await notice(person);
    const second = await person.start();
    const code = await person.code(1);
    const refused = await call(verify, { body: { recovery_id: second, code } });
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ reason: 'another' })]);
    expect((await call(WALLET_ROUTES.recovery, { token: strange, method: 'DELETE' })).status).toBe(404);
    expect((await call(WALLET_ROUTES.recovery, { token, method: 'DELETE' })).status).toBe(204);
    expect((await show(id)).state).toBe('cancelled');
    expect((await show(second)).state).toBe('rejected');
    await eventually(() => expect(subjects(person)).toContain('The recovery of your wallet was cancelled'), 20_000);
  });

  it('is refused, once the code is right, for a wallet that keeps no face', async () => {
    const person = await recovering(false);
    const id = await person.start();
    const answer = await call(verify, { body: { recovery_id: id, code: await person.code(0) } });
    expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ reason: 'no_face' })]);
    expect((await show(id)).state).toBe('rejected');
  });

  it('goes with the wallet, and with its time', async () => {
    const person = await recovering();
    const { id, evidence } = await person.verified();
    expect((await person.send(evidence)).status).toBe(201);
    const [row] = await store.query<{ sealed: Buffer }>('select sealed from identity.wallet_recovery_picture');
    expect(row?.sealed.includes(Buffer.from('ffd8ff', 'hex'))).toBe(false);
    await call(WALLET_ROUTES.wallet, { token: await signedIn(person), method: 'DELETE' });
    expect(await store.query('select 1 from identity.wallet_recovery where wallet_id = $1', [person.walletId])).toEqual([]); // prettier-ignore
    expect((await person.send(evidence)).status).toBe(409);

    const late = await recovering();
    const left = await late.verified();
    await late.send(left.evidence);
    await store.query(`update identity.wallet_recovery set expires_at = now() - interval '1 s' where id = $1`, [
      uuidOf('wrc', left.id),
    ]);
    expect((await show(left.id)).state).toBe('expired');
    await sweep();
    expect(await store.query('select 1 from identity.wallet_mail where wallet_id = $1', [late.walletId])).toEqual([]);
    expect(await store.query('select 1 from identity.wallet_recovery_picture where wallet_id = $1', [late.walletId])).toEqual([]); // prettier-ignore
    expect((await call(WALLET_RECOVERY_ROUTES.show.replace('{recovery_id}', id))).status).toBe(404);
  });
});
