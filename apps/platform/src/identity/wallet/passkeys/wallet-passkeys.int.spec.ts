import {
  WALLET_PASSKEY_ROUTES,
  WALLET_ROUTES,
  type WalletExport,
  type WalletPasskeyFacts,
  type WalletSignIn,
} from '@constancia/contracts';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SoftAuthenticator, type Wrong } from '../../../../../../libs/auth/src/passkeys/authenticator.fixture.ts';
import { newWallet, signedInPerson } from '../signed-in-person.fixture.ts';
import { RunningWallets } from '../wallet.fixture.ts';

const ORIGIN = 'https://person.example';
const ADDRESS = 'ana@mail.example';

let store: TestDatabase;
let wallets: RunningWallets;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store, { PERSON_URL: `${ORIGIN}/` });
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

type Options = { challenge: string; user: { id: string } };

const call = <Body = object>(path: string, options: { token?: string; body?: object; method?: string } = {}) =>
  wallets.host.call<Body>(path, options);

/** A new person who is signed in by a code. */
async function person(): Promise<string> {
  return signedInPerson(wallets.platform, store, await newWallet(wallets.platform, store));
}
const begin = async (token: string) =>
  (await call<Options>(WALLET_PASSKEY_ROUTES.registration, { token, body: {} })).body as Options;
const add = (token: string, credential: object, name = 'Mi celular') =>
  call(WALLET_PASSKEY_ROUTES.passkeys, { token, body: { name, credential } });
async function registered(token: string): Promise<SoftAuthenticator> {
  const device = new SoftAuthenticator(ORIGIN);
  expect((await add(token, device.create(await begin(token)))).status).toBe(201);
  return device;
}
const challenge = async () => (await call<Options>(WALLET_PASSKEY_ROUTES.challenge, { body: {} })).body as Options;
const signIn = async (device: SoftAuthenticator, wrong: Wrong = {}) =>
  call<WalletSignIn>(WALLET_PASSKEY_ROUTES.signIn, { body: device.get(await challenge(), wrong) });
const list = async (token: string) =>
  (await call<{ data: WalletPasskeyFacts[] }>(WALLET_PASSKEY_ROUTES.passkeys, { token })).body.data;
const subjects = () => wallets.mailbox.messages(ADDRESS).map(({ subject }) => subject);

describe('a passkey of a wallet', () => {
  it('is registered in a session, announced by mail, and signs in without an address', async () => {
    const token = await person();
    const device = await registered(token);
    const { status, body } = await signIn(device);
    expect(status).toBe(200);
    const own = body.wallet_session_jwt;
    expect((await call(WALLET_ROUTES.wallet, { token: own })).status).toBe(200);
    const claims = JSON.parse(Buffer.from(own.split('.')[1] as string, 'base64url').toString()) as object;
    expect(claims).toMatchObject({ aud: 'wallet', amr: ['pop', 'user'] });
    expect(await list(own)).toEqual([
      expect.objectContaining({ name: 'Mi celular', last_used_at: expect.any(String) as string }),
    ]);
    const { body: exported } = await call<WalletExport>(WALLET_ROUTES.export, { token: own });
    expect(exported.passkeys).toEqual(await list(own));
    await eventually(() => expect(subjects()).toContain('A new passkey of your wallet'), 20_000);
    const [row] = await store.query<{ sealed: Buffer }>('select sealed from identity.wallet_passkey');
    expect(row?.sealed.toString('latin1')).not.toContain('Mi celular');
  });

  it('is not accepted from another origin, for another host, without verification, in a frame, with another’s handle or a copy', async () => {
    const token = await person();
    const device = await registered(token);
    const plain = ({ status, body }: Awaited<ReturnType<typeof signIn>>) =>
      JSON.stringify([status, { ...body, request_id: '' }]);
    const wrongs: Wrong[] = [
      { origin: 'https://evil.example' },
      { origin: `${ORIGIN}:444` },
      { rpId: 'evil.example' },
      { verified: false },
      { crossOrigin: true },
      { userHandle: Buffer.alloc(16).toString('base64url') },
    ];
    const refused = [];
    for (const wrong of wrongs) refused.push(plain(await signIn(device, wrong)));
    refused.push(plain(await signIn(new SoftAuthenticator(ORIGIN), { userHandle: 'AAAA' })));
    expect((await signIn(device)).status).toBe(200);
    device.count = 1;
    refused.push(plain(await signIn(device))); // the count went back
    expect(new Set(refused).size).toBe(1);
    expect(refused[0]).toMatch(/^\[401,/);
    await eventually(() => expect(subjects()).toContain('A passkey of your wallet may have been copied'), 20_000);
    for (const wrong of wrongs.slice(0, 5)) {
      const other = new SoftAuthenticator(ORIGIN);
      expect((await add(token, other.create(await begin(token), wrong))).status, JSON.stringify(wrong)).toBe(422);
    }
    const lengths = [1_023, 1_024].map(async (bytes) => {
      const other = new SoftAuthenticator(ORIGIN, bytes);
      return (await add(token, other.create(await begin(token)))).status;
    });
    expect(await Promise.all(lengths)).toEqual([201, 422]); // of an id that is too long
  });

  it('opens one session of 16 that answer one challenge at once, and is registered once by a challenge of its own session', async () => {
    const [token, other] = [await person(), await person()];
    const device = await registered(token);
    const options = await challenge();
    const answers = Array.from({ length: 16 }, () => device.get(options));
    const opened = await Promise.all(answers.map((body) => call(WALLET_PASSKEY_ROUTES.signIn, { body })));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
    const next = new SoftAuthenticator(ORIGIN);
    const credential = next.create(await begin(token));
    expect((await add(other, credential)).status).toBe(422); // of another session
    const twice = await Promise.all([add(token, credential), add(token, credential)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await add(token, device.create(await begin(token)))).status).toBe(409); // registered already
  });

  it('is of its person alone, ends the sessions that it opened when it is removed, and goes with the wallet', async () => {
    const [token, other] = [await person(), await person()];
    const [device, kept] = [await registered(token), await registered(token)];
    const session = (await signIn(device)).body.wallet_session_jwt;
    const [first] = await list(token);
    const path = `${WALLET_PASSKEY_ROUTES.passkeys}/${first?.id}`;
    expect(await list(other)).toEqual([]);
    expect((await call(path, { token: other, method: 'DELETE' })).status).toBe(404);
    const removed = await wallets.platform.call(path, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(removed.status).toBe(204);
    expect((await call(WALLET_ROUTES.wallet, { token: session })).status).toBe(401);
    expect((await signIn(device)).status).toBe(401);
    const listed = await wallets.platform.call<{ data: object[] }>(WALLET_PASSKEY_ROUTES.passkeys, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(listed.body.data).toHaveLength(1);
    expect((await call(WALLET_ROUTES.wallet, { token, method: 'DELETE' })).status).toBe(200);
    expect((await signIn(kept)).status).toBe(401);
  });

  it('is one of ten at most, also when an eleventh is registered at the same time', async () => {
    const token = await person();
    for (let n = 0; n < 9; n += 1) await registered(token);
    const credentials = [];
    for (let n = 0; n < 3; n += 1) credentials.push(new SoftAuthenticator(ORIGIN).create(await begin(token)));
    const answers = await Promise.all(credentials.map((credential) => add(token, credential)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await call(WALLET_PASSKEY_ROUTES.registration, { token, body: {} })).status).toBe(409);
  });

  it('is neither registered nor removed by a request that waited while its session was ended, and no credential is offered', async () => {
    const walletId = await newWallet(wallets.platform, store);
    const token = await signedInPerson(wallets.platform, store, walletId);
    await registered(token);
    const [{ id = '' } = {}] = await list(token);
    const credential = new SoftAuthenticator(ORIGIN).create(await begin(token));
    const recovery = new pg.Client({ connectionString: store.adminUrl });
    await recovery.connect();
    try {
      await recovery.query('begin');
      await recovery.query('select 1 from identity.wallet where wallet_id = $1 for no key update', [walletId]);
      const waiting = Promise.all([
        add(token, credential),
        call(`${WALLET_PASSKEY_ROUTES.passkeys}/${id}`, { token, method: 'DELETE' }),
        call(`${WALLET_ROUTES.wallet}/credential-offers`, { token, body: {} }),
      ]);
      await eventually(async () => {
        const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect(await store.query(sql)).toHaveLength(3);
      }, 20_000);
      await recovery.query('update identity.wallet_session set ended_at = now() where wallet_id = $1', [walletId]);
      await recovery.query('commit');
      expect((await waiting).map(({ status }) => status)).toEqual([401, 401, 401]);
    } finally {
      await recovery.end();
    }
    expect((await list(await signedInPerson(wallets.platform, store, walletId))).map((kept) => kept.id)).toEqual([id]);
    expect(await store.query('select 1 from identity.credential_offer where wallet_id = $1', [walletId])).toEqual([]);
  });

  it('is registered, and signs in, on the person host by its own page alone', async () => {
    const token = await person();
    for (const path of Object.values(WALLET_PASSKEY_ROUTES)) {
      const headers = { authorization: `Bearer ${token}` };
      const onApi = await wallets.platform.call(path, { method: 'POST', body: {}, headers });
      expect([404, 405], path).toContain(onApi.status);
      const site = await wallets.host.call(path, { token, body: {}, headers: { 'sec-fetch-site': 'cross-site' } });
      expect(site.status, path).toBe(403);
    }
  });
});
