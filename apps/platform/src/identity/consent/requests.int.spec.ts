import { PRICE } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import { eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, RunningWallets } from '../wallet/wallet.fixture.ts';
import { AskingTenant, ConsentPage, type Requested, sweep, tokenOf } from './reuse.fixture.ts';

const CÉDULA = documentOf('approve');
const UNKNOWN = '1098765432';
const ANA = 'ana.ruiz@correo.example.co';
const LINK = { wallet_hint: 'qr', channel: 'redirect', purpose: 'Abrir su cuenta' };

let store: TestDatabase;
let wallets: RunningWallets;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  await wallets.keeper(CÉDULA, ANA);
  await store.query('update identity.wallet set discoverable = true');
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

/** What can be seen of an answer, without what differs from call to call. */
const seen = ({ status, headers, text }: { status: number; headers: Headers; text: string }) => ({
  status,
  length: text.length,
  headers: [...headers.keys()].sort(),
  members: Object.keys(JSON.parse(text) as object),
});

describe('a request for a kept verification', () => {
  it('is answered the same for a person with a wallet and for any other, and nobody is looked up before', async () => {
    const bank = await AskingTenant.create(wallets);
    const both: [Requested, Requested] = [] as never;
    const answers: unknown[][] = [[], []];
    for (const [index, number] of [CÉDULA, UNKNOWN].entries()) {
      const found = await bank.discover(number);
      expect(found.status).toBe(202);
      const body = { discovery_id: found.body.discovery_id, channel: 'registered_contact' };
      const asked = await bank.request(body);
      expect(asked.status).toBe(201);
      answers[index] = [seen(found), seen(asked), seen(await bank.show(asked.body.id))];
      both[index] = asked.body;
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(await bank.balance()).toMatchObject({ available: 1_000 - 2 * PRICE.kycReuse, held: 2 * PRICE.kycReuse });
    expect(JSON.stringify(await store.query('select * from identity.wallet_discovery'))).not.toContain(UNKNOWN);
    await bank.expire(both[0].id);
    await eventually(async () => expect((await bank.show(both[1].id)).body.status).toBe('expired'));
    const shown = await Promise.all(both.map(async ({ id }) => seen(await bank.show(id))));
    expect(shown[1]).toEqual(shown[0]);
    expect(await bank.balance()).toMatchObject({ available: 1_000, held: 0 });
    const ended = await bank.events();
    expect(ended.map(({ type, payload }) => [type, Object.keys(payload)])).toEqual([
      ['wallet.presentation.expired', ['presentation_id', 'external_ref', 'metadata']],
      ['wallet.presentation.expired', ['presentation_id', 'external_ref', 'metadata']],
    ]);
  });

  it('goes by mail to the address of the wallet, if its person wants to be asked, and not more than three times a day', async () => {
    const bank = await AskingTenant.create(wallets);
    const { body } = await bank.discover(CÉDULA);
    const ask = async () => {
      await bank.request({ discovery_id: body.discovery_id, channel: 'registered_contact' });
      await sweep(wallets);
      await eventually(async () => expect(await store.query('select 1 from identity.wallet_mail')).toEqual([]), 20_000);
    };
    await store.query('delete from identity.wallet_request_sent');
    await store.query('update identity.wallet set discoverable = false');
    const before = wallets.mailbox.messages(ANA).length;
    await ask();
    expect(wallets.mailbox.messages(ANA)).toHaveLength(before);
    await store.query('update identity.wallet set discoverable = true');
    for (let times = 0; times < 4; times += 1) await ask();
    expect(wallets.mailbox.messages(ANA)).toHaveLength(before + 3);
    const { text } = await wallets.mail(ANA, before);
    const page = new ConsentPage(wallets, tokenOf(/^http\S+\/consent\/\S+$/m.exec(text)?.[0] ?? ''));
    const { body: state } = await page.state();
    expect(state).toMatchObject({ step: 'identify', challenge: { address: 'registered' }, purpose: 'Abrir su cuenta' });
    expect(JSON.stringify(state)).not.toContain(CÉDULA.slice(-4));
    expect((await page.stepUp(ANA, null)).step).toBe('decide');
  });

  it('is refused with 402 before anything is written, and made once for an Idempotency-Key', async () => {
    const poor = await AskingTenant.create(wallets, PRICE.kycReuse - 1);
    for (const number of [CÉDULA, UNKNOWN]) {
      const { body } = await poor.discover(number);
      expect((await poor.request({ discovery_id: body.discovery_id, channel: 'registered_contact' })).status).toBe(402);
    }
    expect(
      await store.query('select 1 from identity.wallet_presentation where tenant_id = $1', [poor.tenant.id]),
    ).toEqual([]);

    const bank = await AskingTenant.create(wallets);
    const key = { 'idempotency-key': uuidv7() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => bank.request(LINK, key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await bank.balance()).toMatchObject({ entries: ['hold -32'] });
    expect((await bank.request({ ...LINK, channel: 'qr' }, key)).status).toBe(422);
    const other = { 'idempotency-key': uuidv7() };
    const [one, two] = [await bank.discover(CÉDULA, other), await bank.discover(CÉDULA, other)];
    expect(two.text).toBe(one.text);
    expect((await bank.discover(UNKNOWN, other)).status).toBe(422);
  });

  it('names every fault of the bodies, and holds the limits that the description states', async () => {
    const bank = await AskingTenant.create(wallets);
    const faults = (answer: { status: number; body: Record<string, unknown> }) => [
      answer.status,
      ...((answer.body.errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer),
    ];
    for (const [more, pointer] of [
      [{ purpose: 'abc' }, '/purpose'],
      [{ purpose: 'x'.repeat(141) }, '/purpose'],
      [{ purpose: 'Abrir\u202esu cuenta' }, '/purpose'],
      [{ max_age_days: 0 }, '/max_age_days'],
      [{ max_age_days: 1_826 }, '/max_age_days'],
      [{ claims: ['face'] }, '/claims'],
      [{ document_number: '12' }, '/document_number'],
    ] as const) {
      expect(faults(await bank.discover(CÉDULA, {}, more))).toEqual([400, pointer]);
    }
    const { discovery_id } = (await bank.discover(CÉDULA)).body;
    for (const [body, pointer] of [
      [{ ...LINK, discovery_id }, '/wallet_hint'],
      [{ channel: 'redirect' }, '/discovery_id'],
      [{ ...LINK, channel: 'registered_contact' }, '/discovery_id'],
      [{ wallet_hint: 'qr', channel: 'qr' }, '/purpose'],
      [{ ...LINK, ttl_s: 299 }, '/ttl_s'],
      [{ ...LINK, return_url: 'https://elsewhere.example/' }, '/return_url'],
    ] as const) {
      expect(faults(await bank.request(body))).toEqual([400, pointer]);
    }
    expect((await bank.request({ ...LINK, ttl_s: 900, external_ref: 'x'.repeat(200) })).status).toBe(201);
  });

  it('counts 30 discoveries and 10 requests a minute for a key', async () => {
    const bank = await AskingTenant.create(wallets);
    const discoveries = await Promise.all(Array.from({ length: 31 }, () => bank.discover(UNKNOWN)));
    expect(discoveries.filter(({ status }) => status === 429)).toHaveLength(1);
    const requests = await Promise.all(Array.from({ length: 11 }, () => bank.request(LINK)));
    expect(requests.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it('is one of its tenant alone, and can be cancelled while it is pending', async () => {
    const bank = await AskingTenant.create(wallets);
    const other = await AskingTenant.create(wallets);
    const { id } = await bank.link();
    expect((await other.show(id)).status).toBe(404);
    expect((await other.cancel(id)).status).toBe(404);
    const { discovery_id } = (await bank.discover(CÉDULA)).body;
    expect((await other.request({ discovery_id, channel: 'registered_contact' })).status).toBe(404);
    expect((await bank.cancel(id)).body).toMatchObject({ status: 'cancelled', credits_held: 0 });
    expect((await bank.cancel(id)).status).toBe(200);
    expect(await bank.balance()).toMatchObject({ available: 1_000, entries: ['hold -32', 'release 32'] });
    const late = await bank.link();
    await bank.expire(late.id);
    expect((await bank.cancel(late.id)).status).toBe(409);
    const { apiKey } = await testTenant(store, { credits: 10 });
    expect((await wallets.platform.call(`/v1/wallet/presentations/${id}`, { key: apiKey })).status).toBe(404);
  });
});
