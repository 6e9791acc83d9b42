import type { WalletCredentialFacts } from '@constancia/contracts';
import { verifyPresentation, presentCredential, verifyCredential } from '@constancia/sd-jwt';
import { keyFinderOf, localEs256Signer, readJwt } from '@constancia/signed-jwt';
import { StatusListCache } from '@constancia/status-list';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { findCanaries } from '@constancia/testing/canary-scan';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWallet, signedInPerson } from '../signed-in-person.fixture.ts';
import { documentOf, RunningWallets } from '../wallet.fixture.ts';
import { issuedCopies } from './issued-copies.fixture.ts';
import { IDENTITY_CLAIMS, IDENTITY_VCT } from './identity-claims.ts';

const CÉDULA = documentOf('approve');
const ANA = 'ana.ruiz@correo.example.co';
const VERIFIER = 'https://bank.example';
const NONCE = 'n-0S6_WzA2Mj';

let store: TestDatabase;
let wallets: RunningWallets;
let walletId: string;
let token: string;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  ({ walletId } = await wallets.keeper(CÉDULA, ANA));
  token = await signedInPerson(wallets.platform, store, walletId);
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

const holderKeys = (count: number) =>
  Array.from({ length: count }, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }));

/** A credential of the person's last verification, a copy for each key. */
const issue = (keys: ReturnType<typeof holderKeys>): Promise<string[]> =>
  issuedCopies(
    wallets.platform,
    walletId,
    keys.map(({ publicKey }) => publicKey),
  );

/** A verifier that knows nothing but our public keys and addresses. */
function verifier() {
  const fetch = async (uri: string) => (await wallets.platform.call(new URL(uri).pathname)).text;
  const keysOf = async (set: string) => {
    const rows = await store.query<{ public_jwk: object }>(
      'select public_jwk from identity.token_key where key_set = $1',
      [set],
    );
    return keyFinderOf({ keys: rows.map(({ public_jwk }) => public_jwk) as never[] });
  };
  const lists = new StatusListCache({ fetch, findKey: async (jwt) => (await keysOf('status_list'))(jwt) });
  return {
    vct: [IDENTITY_VCT],
    findIssuerKey: async (jwt: Parameters<ReturnType<typeof keyFinderOf>>[0]) => (await keysOf('credential'))(jwt),
    status: (reference: { uri: string; idx: number }) => lists.statusOf(reference),
  };
}
const reasonFor = (copy: string) =>
  verifyCredential(copy, verifier()).then(
    () => 'accepted',
    (error: { reason?: string }) => error.reason,
  );
const call = <Body>(path: string, method = 'GET', bearer = token) =>
  wallets.platform.call<Body>(`/v1/wallet/me${path && `/${path}`}`, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
  });
const listed = async () => (await call<{ data: WalletCredentialFacts[] }>('credentials')).body.data;

describe('a credential', () => {
  it('is presented by its holder, who shows what they choose, and is verified by anybody', async () => {
    const [key] = holderKeys(1) as [ReturnType<typeof holderKeys>[number]];
    const [copy] = (await issue([key])) as [string];
    const expected = { ...verifier(), audience: VERIFIER, nonce: NONCE };
    const holder = localEs256Signer(key.privateKey);
    const all = await verifyCredential(copy, verifier());
    expect(all.disclosed.map(([name]) => name).sort()).toEqual([...IDENTITY_CLAIMS].sort());
    expect(all.claims).toMatchObject({ document_number: CÉDULA, age_over_18: true, verification_level: 'document_face', trust_framework: 'co_sarlaft' }); // prettier-ignore
    expect(JSON.stringify(all.claims)).not.toContain('verified_for');

    const shown = { reveal: [['age_over_18'], ['document_country']], audience: VERIFIER, nonce: NONCE };
    const presented = await verifyPresentation(await presentCredential(copy, shown, holder), expected);
    expect(presented.claims).toMatchObject({ age_over_18: true, document_country: 'CO', iss: 'http://platform.test/v1/oidc' }); // prettier-ignore
    expect(presented.claims).not.toHaveProperty('document_number');
    const stolen = await presentCredential(copy, shown, localEs256Signer(holderKeys(1)[0]?.privateKey as KeyObject));
    await expect(verifyPresentation(stolen, expected)).rejects.toMatchObject({ reason: 'signature' });
  });

  it('of ten copies shares with no other a key, a salt, a place or a time that would tell that they are one person’s', async () => {
    const copies = await issue(holderKeys(10));
    const parts = copies.map(readCopy);
    expect(new Set(parts.map(({ status }) => `${status.uri} ${status.idx}`)).size).toBe(10);
    expect(new Set(parts.map(({ holderKey }) => holderKey)).size).toBe(10);
    const texts = copies.flatMap((copy) => copy.split('~').slice(1, -1));
    expect(new Set(texts).size).toBe(90);
    const digests = copies.flatMap((copy) => readCopy(copy).claims._sd as string[]);
    expect(new Set(digests).size).toBe(90);
    for (const { claims } of parts) {
      expect(Object.keys(claims).sort()).toEqual(['_sd', '_sd_alg', 'cnf', 'exp', 'iat', 'iss', 'status', 'vct']);
      expect([Number(claims.iat) % 86_400, Number(claims.exp) - Number(claims.iat)]).toEqual([0, 90 * 86_400]);
    }
  });

  it('is revoked in all of its copies by its person, and by no other', async () => {
    const copies = await issue(holderKeys(5));
    const [{ id }] = (await listed()) as [WalletCredentialFacts];
    expect(await Promise.all(copies.map(reasonFor))).toEqual(Array.from(copies, () => 'accepted'));
    const other = await signedInPerson(wallets.platform, store, await newWallet(wallets.platform, store));
    expect([(await call(`credentials/${id}`, 'GET', other)).status, (await call(`credentials/${id}`, 'DELETE', other)).status]).toEqual([404, 404]); // prettier-ignore
    expect((await call('credentials', 'GET', other)).text).not.toContain(id);

    const at = Date.now();
    const ends = await Promise.all([1, 2, 3].map(() => call(`credentials/${id}`, 'DELETE')));
    expect(ends.map(({ status }) => status)).toEqual([204, 204, 204]);
    await eventually(async () => expect(await Promise.all(copies.map(reasonFor))).toEqual(Array.from(copies, () => 'revoked'))); // prettier-ignore
    expect(Date.now() - at).toBeLessThan(5_000);
    const { body } = await call<WalletCredentialFacts>(`credentials/${id}`);
    expect(body).toMatchObject({ status: 'revoked', copies: 5, ended_at: expect.any(String) as string });
    expect((await call<{ credentials: object[] }>('export')).body.credentials).toContainEqual(body);
  });

  it('of an earlier verification is superseded, and stays revoked if it was', async () => {
    const [before] = (await issue(holderKeys(1))) as [string];
    const [{ id }] = (await listed()) as [WalletCredentialFacts];
    const revoked = (await listed()).filter(({ status }) => status === 'revoked').length;
    const again = await wallets.verified(CÉDULA);
    await again.keep(ANA);
    await eventually(async () => expect((await call<WalletCredentialFacts>(`credentials/${id}`)).body.status).toBe('superseded'), 20_000); // prettier-ignore
    await eventually(async () => expect(await reasonFor(before)).toBe('superseded'));
    expect((await listed()).filter(({ status }) => status === 'revoked')).toHaveLength(revoked);
    expect(await reasonFor(((await issue(holderKeys(1))) as [string])[0])).toBe('accepted');
    expect((await call(`credentials/${id}`, 'DELETE')).status).toBe(204);
    await eventually(async () => expect(await reasonFor(before)).toBe('revoked'));
  });

  it('is revoked with the wallet’s erasure, at once, and nothing says any more whose it was', async () => {
    const copies = await issue(holderKeys(3));
    const receipt = await call<{ erased: string[] }>('', 'DELETE');
    expect(receipt.body.erased).toContain('credentials');
    const [left] = await store.query<{ credentials: number; copies: number }>(
      `select (select count(*)::int from identity.wallet_credential where wallet_id = $1) as credentials,
              (select count(*)::int from identity.wallet_credential_copy where wallet_id = $1) as copies`,
      [walletId],
    );
    expect(left).toEqual({ credentials: 0, copies: 0 });
    await eventually(async () => expect(await Promise.all(copies.map(reasonFor))).toEqual(['revoked', 'revoked', 'revoked'])); // prettier-ignore
    expect(await findCanaries((sql, params) => store.query(sql, params), [ANA, CÉDULA])).toEqual([]);
    const entries = await store.query<{ table_name: string; column_name: string }>(
      `select table_name, column_name from information_schema.columns
        where table_schema = 'identity' and table_name in ('status_list', 'status_list_pool', 'status_entry') and udt_name = 'uuid'`,
    );
    expect(entries.map(({ column_name }) => column_name).sort()).toEqual(['id', 'list_id', 'list_id']);
    await expect(issue(holderKeys(1))).rejects.toMatchObject({ slug: 'unauthorized' });
  });
});

/** What the signed part of a copy says. */
function readCopy(copy: string) {
  const claims = readJwt(copy.split('~')[0] as string, 32_768).payload;
  const { status_list } = claims.status as { status_list: { uri: string; idx: number } };
  return { claims, status: status_list, holderKey: JSON.stringify(claims.cnf) };
}
