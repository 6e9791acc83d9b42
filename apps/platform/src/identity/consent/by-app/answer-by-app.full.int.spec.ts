import { createHash, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { PRICE } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import { presentCredential } from '@constancia/sd-jwt';
import { localEs256Signer, readJwt } from '@constancia/signed-jwt';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { findCanaries } from '@constancia/testing/canary-scan';
import { CompactEncrypt, compactVerify, importJWK, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityDatabase } from '../../identity-database.ts';
import { AppRequests } from '../../openid4vp/app-requests.ts';
import { issuedCopies } from '../../wallet/credentials/issued-copies.fixture.ts';
import { setStatuses } from '../../status-lists/status-indexes.ts';
import { WalletApp } from '../../wallet/issuance/wallet-app.fixture.ts';
import { signedInPerson } from '../../wallet/signed-in-person.fixture.ts';
import { documentOf, RunningWallets } from '../../wallet/wallet.fixture.ts';
import { AskingTenant } from '../reuse.fixture.ts';

const CÉDULA = documentOf('approve');
const ANA = 'ana.ruiz@correo.example.co';
const ROUNDS = process.env.CI === undefined ? 200 : 40;
const SHOWN = ['document_type', 'document_country', 'name'];

let store: TestDatabase;
let wallets: RunningWallets;
let app: WalletApp;
let bank: AskingTenant;
let walletId: string;
let key: KeyObject;
let credential: string;

const get = <T extends object>(name: new (...given: never[]) => T): T =>
  wallets.platform.app.get(name, { strict: false });
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  ({ walletId } = await wallets.keeper(CÉDULA, ANA));
  app = new WalletApp(wallets.platform.url);
  bank = await AskingTenant.create(wallets, 1_000_000);
  ({ credential, key } = await issued());
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

/** A credential of the person's last verification, for a key of theirs. */
async function issued() {
  const { publicKey, privateKey } = newKey();
  const [copy] = await issuedCopies(wallets.platform, walletId, [publicKey]);
  return { credential: copy as string, key: privateKey };
}

interface Request {
  client_id: string;
  nonce: string;
  response_uri: string;
  client_metadata: { jwks: { keys: JWK[] } };
  [member: string]: unknown;
}

/** A request as a wallet app finds it by what a QR code says. */
async function fetched(qrUri: string): Promise<{ address: string; request: Request; text: string }> {
  const { searchParams } = new URL(qrUri);
  const address = searchParams.get('request_uri') as string;
  const { status, text } = await app.send(address);
  if (status !== 200) throw new Error(text);
  const request = readJwt(text, 16_384).payload as unknown as Request;
  if (request.client_id !== searchParams.get('client_id')) throw new Error('another client');
  return { address, request, text };
}

/** A request of the tenant's, made without its limit of ten a minute. */
async function opened(claims: string[] = ['full_name']): Promise<{ id: string; request: Request }> {
  const id = uuidv7();
  const asked = { id, tenant_name: 'Banco', purpose: 'Abrir su cuenta', expires_at: new Date(Date.now() + 600_000) };
  const { uri, row } = await get(AppRequests).create(await get(AppRequests).signer(), {
    ...asked,
    claims: claims as never,
  });
  await store.query(
    `insert into identity.wallet_presentation
       (id, tenant_id, tenant_name, channel, purpose, claims, max_age_days, expires_at, app_token_hash, app_request, app_key_sealed, hold_id)
     select $1, $2, $3, 'qr', $4, $5, 365, $6, $7, $8, $9, platform_v1.hold($2, 'identity', 'presentation', $1, $10, 86400)`,
    [
      ...[id, bank.tenant.id, asked.tenant_name, asked.purpose, claims, asked.expires_at],
      ...[row.app_token_hash, row.app_request, row.app_key_sealed, PRICE.kycReuse],
    ],
  );
  return { id, request: (await fetched(uri)).request };
}

const presentationFor = (
  { client_id, nonce }: Request,
  { reveal = SHOWN, holder = key, copy = credential, nowS, ...more }: Shown = {},
) =>
  presentCredential(
    copy,
    { reveal: reveal.map((name) => [name]), audience: client_id, nonce, ...(nowS && { nowS }), ...more },
    localEs256Signer(holder),
  );

interface Shown {
  reveal?: string[];
  holder?: KeyObject;
  copy?: string;
  nowS?: number;
  audience?: string;
  nonce?: string;
}

async function encrypted(jwk: JWK | undefined, payload: unknown): Promise<string> {
  if (jwk === undefined) throw new Error('no key');
  return new CompactEncrypt(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: jwk.kid })
    .encrypt(await importJWK(jwk, 'ECDH-ES'));
}

const post = (address: string, form: Record<string, string>) =>
  app.send(address, { method: 'POST', body: new URLSearchParams(form) });

async function answer(request: Request, presentation: string) {
  const [jwk] = request.client_metadata.jwks.keys;
  return post(request.response_uri, { response: await encrypted(jwk, { vp_token: { identity: [presentation] } }) });
}

describe('a wallet app', () => {
  it('answers a QR code with a credential: the tenant gets what it asked for, once, and the person a receipt', async () => {
    const asked = await bank.request({
      wallet_hint: 'qr',
      channel: 'qr',
      purpose: 'Abrir su cuenta',
      external_ref: 'c-1',
    });
    const { id, qr_uri } = asked.body;
    const { address, request, text } = await fetched(qr_uri as string);
    const { header } = readJwt(text, 16_384);
    const certificate = Buffer.from((header.all.x5c as string[])[0] as string, 'base64');
    expect(header).toMatchObject({ typ: 'oauth-authz-req+jwt', alg: 'ES256' });
    expect(request.client_id).toBe(`x509_hash:${createHash('sha256').update(certificate).digest('base64url')}`);
    await expect(compactVerify(text, new X509Certificate(certificate).publicKey)).resolves.toBeDefined();
    expect(request).toMatchObject({
      ...{ response_type: 'vp_token', response_mode: 'direct_post.jwt', aud: 'https://self-issued.me/v2' },
      dcql_query: { credentials: [{ format: 'dc+sd-jwt', claims: SHOWN.map((name) => ({ path: [name] })) }] },
    });
    expect(Object.keys(request.client_metadata.jwks.keys[0] ?? {})).not.toContain('d');

    const given = await answer(request, await presentationFor(request, { reveal: [...SHOWN, 'document_number'] }));
    expect([given.status, given.body, given.headers.get('cache-control')]).toEqual([200, {}, 'no-store']);
    const { body: shown } = await bank.show(id);
    expect(shown).toMatchObject({
      ...{
        status: 'approved',
        credits_debited: PRICE.kycReuse,
        claims: { document_type: 'CC', document_country: 'CO' },
      },
      verification: { source: 'wallet', level: 'document_face' },
    });
    expect(Object.keys(shown.claims ?? {})).toEqual(['document_type', 'document_country', 'full_name']);
    expect((await bank.balance()).entries).toEqual(['hold -32', 'capture 0']);
    expect((await bank.events()).map(({ type }) => type)).toEqual(['subject.verified', 'wallet.presentation.approved']);

    const over = [await app.send(address), await answer(request, await presentationFor(request))];
    over.push(await app.send(address.replace(/openid4vp\/[^/]+/, `openid4vp/${'A'.repeat(43)}`)));
    expect(over.map(({ status }) => status)).toEqual([404, 404, 404]);
    const titles = over.map(({ body: { detail, title } }) => ({ detail, title }));
    expect(new Set(titles.map((each) => JSON.stringify(each))).size).toBe(1);

    const token = await signedInPerson(wallets.platform, store, walletId);
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    const { body } = await wallets.platform.call<{ data: { kind: string; text: string; text_version: string }[] }>('/v1/wallet/me/consents', bearer); // prettier-ignore
    expect(body.data[0]).toMatchObject({ kind: 'share', text_version: 'presented-2026-11-26' });
    expect(body.data[0]?.text).toContain('nombre completo');
    expect(await findCanaries((sql, params) => store.query(sql, params), [ANA, CÉDULA])).toEqual([]);
  });

  it('that refuses, or answers what the tenant does not accept, leaves the request as it was', async () => {
    const { id, request } = await opened(['full_name', 'document_number']);
    expect(await post(request.response_uri, { error: 'access_denied' })).toMatchObject({ status: 200, body: {} });
    const few = await answer(request, await presentationFor(request));
    expect([few.status, few.body.detail]).toEqual([422, expect.stringContaining('does not have everything')]);
    await store.query(`update identity.wallet_presentation set document_index = $2 where id = $1`, [
      id,
      Buffer.alloc(32),
    ]);
    const whole = [...SHOWN, 'document_number'];
    const other = await answer(request, await presentationFor(request, { reveal: whole }));
    expect([other.status, other.body.detail]).toEqual([422, expect.stringContaining('another document')]);
    await store.query(
      `update identity.wallet_presentation set document_index = null, max_age_days = -1 where id = $1`,
      [id],
    );
    expect((await answer(request, await presentationFor(request, { reveal: whole }))).status).toBe(422);
    await store.query(`update identity.wallet_presentation set max_age_days = 1 where id = $1`, [id]);
    expect((await answer(request, await presentationFor(request, { reveal: whole }))).status).toBe(200);
  });

  it('that proves nothing gets the reason, and a right answer still counts', async () => {
    const { request } = await opened();
    const good = await presentationFor(request);
    const [jwt, ...disclosures] = good.split('~') as [string, ...string[]];
    const now = Math.floor(Date.now() / 1_000);
    const revoked = await issued();
    const place = (readJwt(revoked.credential.split('~')[0] as string, 32_768).payload.status as { status_list: { uri: string; idx: number } }).status_list; // prettier-ignore
    const [{ list_id }] = (await store.query<{ list_id: string }>('select list_id from identity.wallet_credential_copy where idx = $1', [place.idx])) as [{ list_id: string }]; // prettier-ignore
    await get(IdentityDatabase).transaction((tx) => setStatuses(tx, [{ list_id, idx: place.idx }], 1));
    const wrong: Record<string, string> = {
      nonce: await presentationFor(request, { nonce: 'another-request' }),
      audience: await presentationFor(request, { audience: 'x509_hash:another' }),
      key_binding_age: await presentationFor(request, { nowS: now - 300 }),
      key_binding_missing: `${[jwt, ...disclosures.slice(0, -1)].join('~')}~`,
      sd_hash: [jwt, ...disclosures.slice(1)].join('~'),
      signature: await presentationFor(request, { holder: newKey().privateKey }),
      revoked: await presentationFor(request, { copy: revoked.credential, holder: revoked.key }),
      key: [`${forgedIssuer(jwt)}`, ...disclosures].join('~'),
    };
    for (const [reason, presentation] of Object.entries(wrong)) {
      const { status, body } = await answer(request, presentation);
      expect([reason, status, body.reason]).toEqual([reason, 422, reason]);
    }
    const [jwk] = request.client_metadata.jwks.keys;
    const other = newKey().publicKey.export({ format: 'jwk' });
    const bodies: [number, Record<string, string>][] = [
      [422, { response: await encrypted(other, { vp_token: { identity: [good] } }) }],
      [422, { response: 'x.y.z' }],
      [400, {}],
      [400, { vp_token: good }],
      [400, { response: await encrypted(jwk, [good]) }],
      [400, { response: await encrypted(jwk, { vp_token: { identity: [good, good] } }) }],
      [400, { response: await encrypted(jwk, { vp_token: { other: [good] } }) }],
    ];
    for (const [expected, form] of bodies) expect((await post(request.response_uri, form)).status).toBe(expected);
    expect((await answer(request, good)).status).toBe(200);
    const { request: next } = await opened();
    expect((await answer(next, good)).body.reason).toBe('nonce');
  });

  it(`answers once when sixteen answers come at once, in each of ${ROUNDS} rounds, and costs ${PRICE.kycReuse} credits each time`, async () => {
    const before = await bank.balance();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { request } = await opened();
      const presentation = await presentationFor(request);
      const [jwk] = request.client_metadata.jwks.keys;
      const response = await encrypted(jwk, { vp_token: { identity: [presentation] } });
      const answers = await Promise.all(Array.from({ length: 16 }, () => post(request.response_uri, { response })));
      const statuses = answers.map(({ status }) => status).sort();
      expect([round, ...statuses]).toEqual([round, 200, ...Array.from({ length: 15 }, () => 404)]);
    }
    const after = await bank.balance();
    expect(before.available - after.available).toBe(ROUNDS * PRICE.kycReuse);
    expect(after.held).toBe(before.held);
  }, 240_000);

  it('of an erased wallet is refused, whenever the erasure comes', async () => {
    const { request } = await opened();
    const token = await signedInPerson(wallets.platform, store, walletId);
    const bearer = { authorization: `Bearer ${token}` };
    await wallets.platform.call('/v1/wallet/me', { method: 'DELETE', headers: bearer });
    await eventually(async () => {
      const { status, body } = await answer(request, await presentationFor(request));
      expect([status, body.reason]).toEqual([422, 'revoked']);
    });
  });
});

/** The credential, signed by another key that calls itself ours. */
function forgedIssuer(jwt: string): string {
  const [, payload] = jwt.split('.') as [string, string];
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'dc+sd-jwt', kid: 'A'.repeat(43) })).toString(
    'base64url',
  );
  return `${header}.${payload}.${'A'.repeat(86)}`;
}
