import { hashSecret } from '@constancia/auth';
import { uuidv7 } from '@constancia/kernel';
import { verifyCredential } from '@constancia/sd-jwt';
import { keyFinderOf, readJwt } from '@constancia/signed-jwt';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { findCanaries } from '@constancia/testing/canary-scan';
import type { JSONWebKeySet } from 'jose';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformConfig } from '../../../config.ts';
import { IDENTITY_VCT } from '../credentials/identity-claims.ts';
import { signedInPerson } from '../signed-in-person.fixture.ts';
import { credentialCodes } from '../wallet-codes.ts';
import { codeIn, documentOf, RunningWallets } from '../wallet.fixture.ts';
import { CredentialNonces } from './credential-nonces.ts';
import { GRANT, HolderKeyPair, WalletApp } from './wallet-app.fixture.ts';

const CÉDULA = documentOf('approve');
const ANA = 'ana.ruiz@correo.example.co';
const ISSUER = 'http://platform.test/v1/oidc';
const ROUNDS = 200;

let store: TestDatabase;
let wallets: RunningWallets;
let app: WalletApp;
let walletId: string;
let token: string;
let endpoints: Awaited<ReturnType<WalletApp['discover']>>;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  ({ walletId } = await wallets.keeper(CÉDULA, ANA));
  token = await signedInPerson(wallets.platform, store, walletId);
  app = new WalletApp(wallets.platform.url);
  endpoints = await app.discover(ISSUER);
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

interface Offer {
  credential_offer_uri: string;
  offer_link: string;
}
const headers = () => ({ authorization: `Bearer ${token}` });
const createOffer = () =>
  wallets.platform.call<Offer & Record<string, unknown>>('/v1/wallet/me/credential-offers', { method: 'POST', headers: headers() }); // prettier-ignore
const forgetOffers = () => store.query('delete from identity.credential_offer');

/** An offer as it stands once its second code is mailed; its codes. */
async function mailedOffer(): Promise<{ id: string; code: string; txCode: string }> {
  const [id, code] = [uuidv7(), randomBytes(32).toString('base64url')];
  const codes = credentialCodes(wallets.platform.app.get(PlatformConfig, { strict: false }));
  const txCode = codes.newCode();
  const hash = codes.hashOf(hashSecret(code).toString('hex'), txCode);
  await store.query(
    `insert into identity.credential_offer (id, wallet_id, offer_hash, code_hash, tx_code_hash, expires_at)
     values ($1, $2, $3, $4, $5, now() + interval '10 minutes')`,
    [id, walletId, randomBytes(32), hashSecret(code), hash],
  );
  return { id, code, txCode };
}
const accessToken = async () => {
  const { code, txCode } = await mailedOffer();
  return (await app.token(endpoints.token_endpoint, code, txCode)).body.access_token as string;
};
const asking = (proofs: string[], more: object = {}) => ({
  credential_configuration_id: 'identity',
  proofs: { jwt: proofs },
  ...more,
});
const errorOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.error];
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a person who wants a credential on a device', () => {
  it('gives the app the offer and the mailed code, and the app gets ten copies that anybody verifies', async () => {
    const before = wallets.mailbox.messages(ANA).length;
    const offer = await createOffer();
    expect(offer.status).toBe(201);
    const address = offer.body.credential_offer_uri;
    expect(new URL(offer.body.offer_link).searchParams.get('credential_offer_uri')).toBe(address);
    const shown = await app.send(address);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.body).toMatchObject({ credential_issuer: ISSUER, credential_configuration_ids: ['identity'] });
    expect(endpoints).toMatchObject({ credential_issuer: ISSUER, batch_credential_issuance: { batch_size: 10 } });
    const code = await app.codeIn(address);
    const txCode = codeIn(await wallets.mail(ANA, before));
    const granted = await app.token(endpoints.token_endpoint, code, txCode);
    expect(granted).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 300 } });
    const access = granted.body.access_token as string;

    const nonce = await app.nonce(endpoints.nonce_endpoint);
    const keys = Array.from({ length: 10 }, () => new HolderKeyPair());
    const issued = await app.credential(endpoints.credential_endpoint, access, asking(keys.map((key) => key.proof(ISSUER, nonce)))); // prettier-ignore
    expect(issued.status).toBe(200);
    expect(issued.headers.get('cache-control')).toBe('no-store');
    const copies = (issued.body.credentials as { credential: string }[]).map(({ credential }) => credential);
    const { body } = await app.send('http://platform.test/.well-known/jwt-vc-issuer/v1/oidc');
    expect(body.issuer).toBe(ISSUER);
    const findIssuerKey = keyFinderOf(body.jwks as JSONWebKeySet);
    for (const [nth, copy] of copies.entries()) {
      const { claims, holderKey } = await verifyCredential(copy, { vct: [IDENTITY_VCT], findIssuerKey, status: 'ignored' }); // prettier-ignore
      expect(claims).toMatchObject({ iss: ISSUER, document_number: CÉDULA });
      expect(holderKey).toMatchObject({ x: keys[nth]?.jwk.x, y: keys[nth]?.jwk.y });
    }
    expect(new Set(copies.map((copy) => JSON.stringify(readJwt(copy.split('~')[0] as string, 32_768).payload.status))).size).toBe(10); // prettier-ignore

    const gone = [await app.send(address), await app.send(`${address.slice(0, -4)}AAAA`), await app.send(address.replace(/wof_.*/, 'x'))]; // prettier-ignore
    const seen = gone.map(({ status, body: problem }) => ({ status, title: problem.title, detail: problem.detail, instance: problem.instance })); // prettier-ignore
    expect(seen[0]).toMatchObject({ status: 404, instance: '/v1/wallet/issuance/offers/{token}' });
    expect([seen[1], seen[2]]).toEqual([seen[0], seen[0]]);
    expect(await findCanaries((sql, params) => store.query(sql, params), [ANA, CÉDULA, code, access])).toEqual([]);
  });

  it('has one offer at a time, ten an hour, and none after the wallet’s erasure', async () => {
    await forgetOffers();
    const first = (await createOffer()).body.credential_offer_uri;
    const second = (await createOffer()).body.credential_offer_uri;
    expect([(await app.send(first)).status, (await app.send(second)).status]).toEqual([404, 200]);
    const statuses = (await Promise.all(Array.from({ length: 12 }, createOffer))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(8);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    await forgetOffers();
  });
});

describe('the code of an offer', () => {
  it(`is redeemed once by sixteen who present it at once, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { code, txCode } = await mailedOffer();
      const answers = await Promise.all(Array.from({ length: 16 }, () => app.token(endpoints.token_endpoint, code, txCode))); // prettier-ignore
      const refused = answers.filter(({ status }) => status !== 200);
      expect([round, refused.length]).toEqual([round, 15]);
      expect(new Set(refused.map((each) => JSON.stringify(errorOf(each))))).toEqual(new Set(['[400,"invalid_grant"]']));
    }
  }, 120_000);

  it('is ended by five wrong codes of the mail, and refused the same whatever is wrong', async () => {
    const { code, txCode } = await mailedOffer();
    const wrong = Array.from({ length: 20 }, () => app.token(endpoints.token_endpoint, code, wrongOf(txCode)));
    const answers = await Promise.all(wrong);
    answers.push(await app.token(endpoints.token_endpoint, code, txCode));
    answers.push(await app.token(endpoints.token_endpoint, randomBytes(32).toString('base64url'), txCode));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(errorOf(answers[0] as (typeof answers)[number])).toEqual([400, 'invalid_grant']);
    const [row] = await store.query<{ wrong_codes: number }>('select max(wrong_codes) as wrong_codes from identity.credential_offer'); // prettier-ignore
    expect(row?.wrong_codes).toBe(5);
  });

  it('is asked for as OAuth asks, and everything else is refused in its words', async () => {
    const { token_endpoint: endpoint } = endpoints;
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      app.send(endpoint, { method: 'POST', body, headers: { 'content-type': type } });
    const grant = encodeURIComponent(GRANT);
    const seen = {
      'no grant': await post('tx_code=1'),
      'another grant': await post('grant_type=password'),
      'no code': await post(`grant_type=${grant}&tx_code=123456`),
      'no second code': await post(`grant_type=${grant}&pre-authorized_code=x`),
      'a name twice': await post(`grant_type=${grant}&grant_type=${grant}`),
      JSON: await post('{}', 'application/json'),
      'too much': await post(`grant_type=${'x'.repeat(20_000)}`),
    };
    expect(Object.fromEntries(Object.entries(seen).map(([what, answer]) => [what, errorOf(answer)]))).toEqual({
      'no grant': [400, 'invalid_request'],
      'another grant': [400, 'unsupported_grant_type'],
      'no code': [400, 'invalid_request'],
      'no second code': [400, 'invalid_request'],
      'a name twice': [400, 'invalid_request'],
      JSON: [415, 'invalid_request'],
      'too much': [413, 'invalid_request'],
    });
    for (const { headers, body } of Object.values(seen)) {
      expect(headers.get('content-type')).toContain('application/json');
      expect(Object.keys(body)).toEqual(['error', 'error_description']);
    }
  });
});

describe('the credential endpoint', () => {
  it('takes a nonce once, from the first of sixteen', async () => {
    for (let round = 0; round < 10; round += 1) {
      const nonce = await app.nonce(endpoints.nonce_endpoint);
      const tokens = await Promise.all(Array.from({ length: 16 }, accessToken));
      const answers = await Promise.all(
        tokens.map((each) => app.credential(endpoints.credential_endpoint, each, asking([new HolderKeyPair().proof(ISSUER, nonce)]))), // prettier-ignore
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 200).map((each) => JSON.stringify(errorOf(each)));
      expect(new Set(refused)).toEqual(new Set(['[400,"invalid_nonce"]']));
    }
  }, 60_000);

  it('issues once for an access token, however many ask at once with nonces of their own', async () => {
    for (let round = 0; round < 10; round += 1) {
      const access = await accessToken();
      const answers = await Promise.all(
        Array.from({ length: 16 }, async () => {
          const nonce = await app.nonce(endpoints.nonce_endpoint);
          return app.credential(endpoints.credential_endpoint, access, asking([new HolderKeyPair().proof(ISSUER, nonce)])); // prettier-ignore
        }),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map((each) => JSON.stringify(errorOf(each))))).toEqual(new Set(['[401,"invalid_token"]']));
      expect(refused[0]?.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
  }, 60_000);

  it('refuses what is forged, stale, doubled or not what it offers, and leaves token and nonce as they were', async () => {
    const access = await accessToken();
    const nonce = await app.nonce(endpoints.nonce_endpoint);
    const [key, other] = [new HolderKeyPair(), new HolderKeyPair()];
    const good = key.proof(ISSUER, nonce);
    const nonces = wallets.platform.app.get(CredentialNonces, { strict: false });
    const [head, payload] = good.split('.') as [string, string];
    const bodies: Record<string, unknown> = {
      'invalid_proof: no proof': asking([]),
      'invalid_proof: eleven proofs': asking(
        Array.from({ length: 11 }, () => new HolderKeyPair().proof(ISSUER, nonce)),
      ),
      'invalid_proof: one key twice': asking([good, key.proof(ISSUER, nonce)]),
      'invalid_proof: two nonces': asking([good, other.proof(ISSUER, nonces.issue())]),
      'invalid_proof: another key signed': asking([`${head}.${payload}.${other.proof(ISSUER, nonce).split('.')[2]}`]),
      'invalid_proof: another issuer': asking([key.proof('https://other.example', nonce)]),
      'invalid_proof: an old proof': asking([key.proof(ISSUER, nonce, {}, { iat: Math.floor(Date.now() / 1_000) - 400 })]), // prettier-ignore
      'invalid_proof: another class': asking([key.proof(ISSUER, nonce, { typ: 'kb+jwt' })]),
      'invalid_proof: no nonce': asking([key.proof(ISSUER, nonce, {}, { nonce: undefined })]),
      'invalid_proof: a wallet session': asking([token]),
      'invalid_nonce: a made-up nonce': asking([key.proof(ISSUER, randomBytes(38).toString('base64url'))]),
      'invalid_nonce: an expired nonce': asking([key.proof(ISSUER, nonces.issue(Date.now() - 300_001))]),
      'unknown_credential_configuration: another credential': asking([good], {
        credential_configuration_id: 'passport',
      }),
      'unknown_credential_identifier: an identifier': asking([good], { credential_identifier: 'x' }),
      'invalid_credential_request: no configuration': { proofs: { jwt: [good] } },
      'invalid_credential_request: a list': [1],
      'invalid_encryption_parameters: encrypted': asking([good], {
        credential_response_encryption: { enc: 'A128GCM' },
      }),
      'invalid_request: no JSON': '{',
    };
    for (const [what, body] of Object.entries(bodies)) {
      const answer = await app.credential(endpoints.credential_endpoint, access, body);
      expect([what, ...errorOf(answer)]).toEqual([what, 400, what.split(':')[0]]);
    }
    for (const wrong of ['', 'wat_x', token, nonce, `wat_${randomBytes(32).toString('hex')}`]) {
      const answer = await app.credential(endpoints.credential_endpoint, wrong, asking([good]));
      expect([wrong, ...errorOf(answer)]).toEqual([wrong, 401, 'invalid_token']);
    }
    expect((await wallets.platform.call('/v1/wallet/me', { headers: { authorization: `Bearer ${access}` } })).status).toBe(401); // prettier-ignore
    const again = await app.credential(endpoints.credential_endpoint, access, asking([good], { unknown: 'member' }));
    expect(again.status).toBe(200);
  });

  it('issues nothing once the wallet is erased, and the erasure leaves no offer', async () => {
    const access = await accessToken();
    const nonce = await app.nonce(endpoints.nonce_endpoint);
    await wallets.platform.call('/v1/wallet/me', { method: 'DELETE', headers: headers() });
    const answer = await app.credential(endpoints.credential_endpoint, access, asking([new HolderKeyPair().proof(ISSUER, nonce)])); // prettier-ignore
    expect(errorOf(answer)).toEqual([401, 'invalid_token']);
    expect(await store.query('select 1 from identity.credential_offer where wallet_id = $1', [walletId])).toEqual([]);
    expect(await findCanaries((sql, params) => store.query(sql, params), [ANA, CÉDULA])).toEqual([]);
  });
});
