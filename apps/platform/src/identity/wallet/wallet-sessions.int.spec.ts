import { generateKeyPairSync } from 'node:crypto';
import { WALLET_PAGE, WALLET_ROUTES, type WalletExport, type WalletSignIn } from '@constancia/contracts';
import { typeId, uuidv7 } from '@constancia/kernel';
import { localEs256Signer, nowInSeconds } from '@constancia/signed-jwt';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { findCanaries } from '@constancia/testing/canary-scan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TokenKeys } from '../token-keys/token-keys.ts';
import { keepText } from './keep-texts.ts';
import { codeIn, documentOf, RunningWallets, type VerifiedPerson } from './wallet.fixture.ts';

const CÉDULA = documentOf('approve');
const ANA = 'ana.ruiz@correo.example.co';
const NOBODY = 'nobody@correo.example.co';

let store: TestDatabase;
let wallets: RunningWallets;
let ana: VerifiedPerson;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  ({ person: ana } = await wallets.keeper(CÉDULA, ANA));
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

interface Challenge {
  challenge_id: string;
  expires_at: string;
}
interface Erasure {
  wallet_id: string;
  not_covered: string;
}

const call = <Body>(path: string, options: { method?: string; body?: object; token?: string } = {}) => {
  const { token, ...rest } = options;
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return wallets.platform.call<Body & Record<string, unknown>>(`/v1/wallet/${path}`, { ...rest, headers });
};
const start = async (identifier: string) => {
  await wallets.forgetSends();
  return call<Challenge>('sessions/start', { body: { identifier } });
};
const verify = (challenge_id: string, code: string) =>
  call<{ wallet_session_jwt: string }>('sessions/verify', { body: { challenge_id, code } });
/** Every mail that waited is out. */
const quiet = () =>
  eventually(async () => expect(await store.query('select 1 from identity.wallet_mail')).toEqual([]), 20_000);
const codeOf = async (address: string): Promise<[challenge: string, code: string]> => {
  await quiet();
  const before = wallets.mailbox.messages(address).length;
  const { body } = await start(address);
  return [body.challenge_id, codeIn(await wallets.mail(address, before))];
};
const signIn = async (address: string): Promise<string> => {
  const { status, body } = await verify(...(await codeOf(address)));
  expect(status).toBe(200);
  return body.wallet_session_jwt;
};
const me = (token: string) => call<Record<string, unknown>>('me', { token });

describe('signing in to a wallet', () => {
  it('answers the same for an address that has one and for any other', async () => {
    const before = wallets.mailbox.messages(NOBODY).length;
    const answers = [await start(ANA), await start(NOBODY), await start('Another@mail.example')];
    const seen = answers.map(({ status, text, headers }) => ({
      status,
      length: text.length,
      headers: [...headers.keys()],
    }));
    expect(seen[0]?.status).toBe(202);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    const wrong = await Promise.all(answers.map(({ body }) => verify(body.challenge_id, '000000')));
    const refusals = wrong.map(({ status, body }) => ({ status, detail: body.detail, title: body.title }));
    expect(refusals[0]?.status).toBe(401);
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    await quiet();
    expect(wallets.mailbox.messages(NOBODY)).toHaveLength(before);
    await store.query(`update identity.sign_in_code set wrong_attempts = 0, locked_until = null`);
  });

  it('a code opens one session, however often it is presented at once', async () => {
    const [challenge, code] = await codeOf(ANA);
    const statuses = (await Promise.all(Array.from({ length: 16 }, () => verify(challenge, code)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    await store.query(`update identity.sign_in_code set wrong_attempts = 0, locked_until = null`);
  });

  it('five wrong codes lock an address that has a wallet, and one that has none', async () => {
    for (const address of [ANA, NOBODY]) {
      const { body } = await start(address);
      await quiet();
      const statuses: number[] = [];
      for (let guess = 0; guess < 6; guess += 1) statuses.push((await verify(body.challenge_id, '000000')).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    }
    await store.query(`update identity.sign_in_code set wrong_attempts = 0, locked_until = null`);
  });
});

describe('the token of a wallet session', () => {
  it('is good until it is signed out, has expired, or was issued by another key, class, issuer or audience', async () => {
    const token = await signIn(ANA);
    expect((await me(token)).status).toBe(200);
    const parts = token.split('.');
    const claims = JSON.parse(Buffer.from(parts[1] as string, 'base64url').toString()) as Record<
      string,
      string | number
    >;
    expect(claims).toMatchObject({ aud: 'wallet', iss: 'http://platform.test/wallet', amr: ['otp'] });
    expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(600);

    const sign = await wallets.platform.app.get(TokenKeys, { strict: false }).signer('wallet_session');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const forged: Record<string, string> = {
      'another key': await localEs256Signer(privateKey, { kid: 'x'.repeat(43) })('wallet-session+jwt', claims),
      'another class': await sign('at+jwt', claims),
      'another audience': await sign('wallet-session+jwt', { ...claims, aud: 'api' }),
      'several audiences': await sign('wallet-session+jwt', { ...claims, aud: ['wallet'] }),
      'another issuer': await sign('wallet-session+jwt', { ...claims, iss: 'http://other.test/wallet' }),
      expired: await sign('wallet-session+jwt', { ...claims, exp: nowInSeconds() - 1 }),
      'without an end': await sign('wallet-session+jwt', { ...claims, exp: null }),
      'another wallet': await sign('wallet-session+jwt', { ...claims, sub: typeId('wlt', uuidv7()) }),
      'no signature': `${Buffer.from('{"alg":"none","typ":"wallet-session+jwt"}').toString('base64url')}.${parts[1]}.`,
      'the API key': ana.flows.tenant.apiKey,
      'the capture token': ana.token,
    };
    for (const [what, text] of Object.entries(forged)) expect([what, (await me(text)).status]).toEqual([what, 401]);

    expect((await call('sessions', { method: 'DELETE', token })).status).toBe(204);
    expect((await me(token)).status).toBe(401);
  });

  it('opens nothing of a tenant, and no key or member opens a wallet', async () => {
    const token = await signIn(ANA);
    for (const path of ['/v1/billing/balance', '/v1/kyc/subjects', '/v1/flows/sessions']) {
      const bearer = await wallets.platform.call(path, { headers: { authorization: `Bearer ${token}` } });
      const asKey = await wallets.platform.call(path, { key: token });
      expect([path, bearer.status, asKey.status]).toEqual([path, 401, 401]);
    }
    expect((await wallets.platform.call('/v1/wallet/me', { key: ana.flows.tenant.apiKey })).status).toBe(401);
  });
});

describe('the person host', () => {
  it('answers its page what the API answers, so that the page needs no other origin', async () => {
    const [challenge_id, code] = await codeOf(ANA);
    const signedIn = await wallets.host.call<WalletSignIn>(WALLET_ROUTES.verify, { body: { challenge_id, code } });
    expect(signedIn.status).toBe(200);
    const token = signedIn.body.wallet_session_jwt;
    const exported = await wallets.host.call<WalletExport>(WALLET_ROUTES.export, { token });
    expect(exported).toMatchObject({ status: 200, body: { email: ANA } });
    expect(exported.headers.get('cache-control')).toBe('no-store');
    expect(exported.headers.get('access-control-allow-origin')).toBeNull();
    expect((await wallets.host.call(WALLET_ROUTES.session, { token, method: 'DELETE' })).status).toBe(204);
    expect((await wallets.host.call(WALLET_ROUTES.export, { token })).status).toBe(401);
    expect((await wallets.host.call('/v1/billing/balance', { token })).status).toBe(404);
    const elsewhere = await fetch(`${wallets.platform.url}${WALLET_PAGE}`);
    expect(elsewhere.status).toBe(404);
  });
});

describe('a wallet', () => {
  it('shows, exports and proves to its person what it holds, and to nobody else', async () => {
    const token = await signIn(ANA);
    const shown = await me(token);
    expect(shown.body).toMatchObject({ contacts: ['a***@c***.co'], level: 'document_face', discoverable: false });
    expect(shown.text).not.toContain(CÉDULA);
    const { body, text } = await call<{ consents: object[] }>('me/export', { token });
    expect(text).toContain(CÉDULA);
    expect(body).toMatchObject({ email: ANA, verifications: [{ document_type: 'CC', document_number: CÉDULA }] });
    const { body: consents } = await call<{ data: Record<string, string>[] }>('me/consents', { token });
    expect(body.consents).toEqual(
      consents.data.map((one) => ({
        ...one,
        frame_origin: null,
        ip: expect.any(String) as string,
        user_agent: expect.anything() as string,
      })),
    );
    const [receipt] = consents.data;
    const shownText = keepText(receipt?.text_version ?? '', 'es-CO');
    expect(receipt).toMatchObject({ text: shownText?.text, text_sha256: shownText?.sha256 });

    const changed = await call('me/discoverable', { method: 'PUT', body: { enabled: true }, token });
    expect(changed.body).toEqual({ enabled: true });
    expect((await me(token)).body.discoverable).toBe(true);
  });

  it('holds the limits that the description states of its requests', async () => {
    const token = await signIn(ANA);
    const named = async (path: string, options: { method?: string; body?: object } = {}) => {
      const { status, body } = await call<{ errors: { pointer: string }[] }>(path, { ...options, token });
      return [status, ...body.errors.map(({ pointer }) => pointer)];
    };
    for (const limit of ['0', '101', 'x']) {
      expect(await named(`me/consents?limit=${limit}`)).toEqual([400, '/query/limit']);
    }
    for (const cursor of ['~', 'x'.repeat(513)]) {
      expect(await named(`me/consents?cursor=${cursor}`)).toEqual([400, '/query/cursor']);
    }
    for (const body of [{}, { enabled: 'yes' }]) {
      expect(await named('me/discoverable', { method: 'PUT', body })).toEqual([400, '/enabled']);
    }
    expect((await call('me/consents?limit=100', { token })).status).toBe(200);
  });

  it('outlives the erasure of the subject at a tenant, and its own erasure leaves the tenant’s subject alone', async () => {
    const other = await wallets.verified(CÉDULA);
    await other.keep(ANA);
    await eventually(async () => {
      expect(
        await store.query(
          'select 1 from identity.wallet_verification where wallet_id in (select wallet_id from identity.wallet_consent)',
        ),
      ).toHaveLength(2);
    }, 20_000);
    const erased = await wallets.platform.call<{ receipt_id: string }>(`/v1/kyc/subjects/${ana.subjectId}`, {
      method: 'DELETE',
      key: ana.flows.tenant.apiKey,
    });
    expect(erased.status).toBe(200);
    const token = await signIn(ANA);
    const { body } = await call<{ verifications: object[] }>('me/export', { token });
    expect(body.verifications).toHaveLength(2);
    expect(body).toMatchObject({ email: ANA });

    const receipt = await call<Erasure>('me', { method: 'DELETE', token });
    expect(receipt).toMatchObject({ status: 200, body: { kept: ['consent_records'] } });
    expect(receipt.body.not_covered).toContain('keep their own records');
    expect((await me(token)).status).toBe(401);
    const subject = await wallets.platform.call(`/v1/kyc/subjects/${other.subjectId}`, {
      key: other.flows.tenant.apiKey,
    });
    expect(subject).toMatchObject({ status: 200, body: { kyc_status: 'approved' } });

    expect(await store.query('select 1 from identity.wallet_verification')).toEqual([]);
    expect(
      await store.query(
        'select 1 from identity.wallet where num_nonnulls(document_index, contact_index, wrapped_key, sealed) > 0',
      ),
    ).toEqual([]);
    expect(await findCanaries((sql, params) => store.query(sql, params), [ANA, CÉDULA])).toEqual([]);
    const before = wallets.mailbox.messages(ANA).length;
    await start(ANA);
    await quiet();
    expect(wallets.mailbox.messages(ANA)).toHaveLength(before);
  });
});
