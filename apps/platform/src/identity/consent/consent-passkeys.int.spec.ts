import { type ConsentState, WALLET_PASSKEY_ROUTES } from '@constancia/contracts';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SoftAuthenticator } from '../../../../../libs/auth/src/passkeys/authenticator.fixture.ts';
import { newWallet, signedInPerson } from '../wallet/signed-in-person.fixture.ts';
import { documentOf, RunningWallets } from '../wallet/wallet.fixture.ts';
import { AskingTenant, ConsentPage, sweep, tokenOf } from './reuse.fixture.ts';

const ORIGIN = 'https://person.example';
const CÉDULA = documentOf('approve');
const ANA = 'ana.ruiz@correo.example.co';

type Options = { challenge: string; user: { id: string } };

let store: TestDatabase;
let wallets: RunningWallets;
let bank: AskingTenant;
/** Of Ana, and of a person whom nobody asked. */
let own: SoftAuthenticator;
let other: SoftAuthenticator;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store, { PERSON_URL: `${ORIGIN}/` });
  const { walletId } = await wallets.keeper(CÉDULA, ANA);
  own = await deviceOf(walletId);
  other = await deviceOf(await newWallet(wallets.platform, store));
  bank = await AskingTenant.create(wallets);
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

async function deviceOf(walletId: string): Promise<SoftAuthenticator> {
  const token = await signedInPerson(wallets.platform, store, walletId);
  const { body } = await wallets.host.call<Options>(WALLET_PASSKEY_ROUTES.registration, { token, body: {} });
  const device = new SoftAuthenticator(ORIGIN);
  const registration = { name: 'Mi celular', credential: device.create(body) };
  const { status } = await wallets.host.call(WALLET_PASSKEY_ROUTES.passkeys, { token, body: registration });
  expect(status).toBe(201);
  return device;
}

const optionsOf = async (page: ConsentPage) => (await page.call<Options>('passkey/options', {})).body;
const prove = (page: ConsentPage, device: SoftAuthenticator, options: Options, wrong = {}) =>
  page.call<ConsentState>('passkey', { assertion: device.get(options, wrong) });

describe('a passkey', () => {
  it('proves whose the wallet is, once for what was signed, and then the person approves', async () => {
    const { id, page } = await bank.link();
    const { body: before } = await page.state();
    expect(before.challenge?.methods).toEqual(['otp', 'passkey']);
    const options = await optionsOf(page);
    expect(options).not.toHaveProperty('allowCredentials.0');
    const answers = await Promise.all(Array.from({ length: 4 }, () => prove(page, own, options)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const state = answers.find(({ status }) => status === 200)?.body as ConsentState;
    expect(state).toMatchObject({ step: 'decide', obstacle: null });
    expect((await page.stranger().state()).body).toMatchObject({ step: 'identify', verification: null });
    const [row] = await store.query('select proved_by from identity.wallet_presentation where status = $1', [
      'pending',
    ]);
    expect(row).toEqual({ proved_by: 'passkey' });
    expect((await page.approve(state)).status).toBe(200);
    expect((await bank.show(id)).body.status).toBe('approved');
  });

  it('counts for the request that it signed for, and for no other, nor for a sign-in, nor the other way round', async () => {
    const [{ page: first }, { page: second }] = [await bank.link(), await bank.link()];
    for (const page of [first, second]) await page.state();
    const signIn = (await wallets.host.call<Options>(WALLET_PASSKEY_ROUTES.challenge, { body: {} })).body;
    const refused = [
      await prove(second, own, await optionsOf(first)),
      await prove(second, own, signIn),
      await prove(second, own, await optionsOf(second), { origin: 'https://evil.example' }),
      await prove(second, own, await optionsOf(second), { verified: false }),
      await prove(second, new SoftAuthenticator(ORIGIN), await optionsOf(second), { userHandle: 'AAAA' }),
    ];
    const plain = refused.map(({ status, text }) => [status, text.replace(/"request_id":"[^"]*"/, '')]);
    expect(new Set(plain.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(plain[0]?.[0]).toBe(422);
    const body = own.get(await optionsOf(first));
    expect((await wallets.host.call(WALLET_PASSKEY_ROUTES.signIn, { body })).status).toBe(401);
    expect((await first.state()).body.step).toBe('identify');
  });

  it('of another wallet than that which was asked proves nothing, in the name of nobody', async () => {
    await store.query('update identity.wallet set discoverable = true');
    const { body } = await bank.discover(CÉDULA);
    const before = wallets.mailbox.messages(ANA).length;
    await bank.request({ discovery_id: body.discovery_id, channel: 'registered_contact' });
    await sweep(wallets);
    const { text } = await wallets.mail(ANA, before);
    const page = new ConsentPage(wallets, tokenOf(/^http\S+\/consent\/\S+$/m.exec(text)?.[0] ?? ''));
    await page.state();
    expect((await prove(page, other, await optionsOf(page))).status).toBe(422);
    expect((await page.state()).body.step).toBe('identify');
    expect((await prove(page, own, await optionsOf(page))).body.step).toBe('decide');
  });

  it('is refused without the nonce of this browser, and of a request that is over', async () => {
    const { id, page } = await bank.link();
    await page.state();
    const options = await optionsOf(page);
    expect((await page.call('passkey/options', { nonce: 'A'.repeat(43) })).status).toBe(400);
    expect((await page.stranger().call('passkey/options', {})).status).toBe(400);
    await bank.cancel(id);
    expect((await prove(page, own, options)).status).toBe(404);
  });
});
