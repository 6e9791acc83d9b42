import { createHash } from 'node:crypto';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { findCanaries } from '@constancia/testing/canary-scan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityDatabase } from '../identity-database.ts';
import { keepText } from './keep-texts.ts';
import { codeIn, documentOf, RunningWallets } from './wallet.fixture.ts';

let store: TestDatabase;
let wallets: RunningWallets;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store, { PERSON_URL: 'https://person.example/' });
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

const CÉDULA = documentOf('approve');
/** Alone on its line, so that mail programs make a link of it. */
const WALLET_AT = /^https:\/\/person\.example\/wallet\?lang=es\r?$/m;
const ANA = 'Ana.Ruiz@correo.example.co';
const count = async (table: string): Promise<number> => {
  const [row] = await store.query<{ n: number }>(`select count(*)::int as n from identity.${table}`);
  return row?.n ?? -1;
};
const stored = async () => ({
  wallets: await count('wallet'),
  verifications: await count('wallet_verification'),
  consents: await count('wallet_consent'),
});

describe('a verification', () => {
  it('is kept once the person agreed and confirmed the address, and nothing is stored before', async () => {
    const person = await wallets.verified(CÉDULA);
    const offered = await person.call('');
    expect(offered).toMatchObject({ status: 200, body: { state: 'offered', email: null } });
    const { text, sha256, version, locale } = offered.body.consent;
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
    expect(await count('wallet_offer')).toBe(0);

    const shown = { email: ANA, version, locale, sha256 };
    for (const wrong of [
      shown,
      { ...shown, accepted: false },
      { ...shown, accepted: true, sha256: '0'.repeat(64) },
      { ...shown, accepted: true, email: 'nobody' },
    ])
      expect((await person.call('', wrong)).status).toBe(400);
    expect(await count('wallet_offer')).toBe(0);

    const asked = await person.call('', { ...shown, accepted: true });
    expect(asked).toMatchObject({ status: 202, body: { state: 'code_sent', email: 'A***@c***.co' } });
    const code = codeIn(await wallets.mail(ANA, 0));
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect((await person.call('/confirm', { code: wrong })).status).toBe(422);
    expect(await stored()).toEqual({ wallets: 0, verifications: 0, consents: 0 });

    expect(await person.call('/confirm', { code })).toMatchObject({ status: 200, body: { state: 'confirmed' } });
    const told = await wallets.mail(ANA, 1);
    expect(told.subject).toBe('Su verificación quedó guardada');
    expect(told.text).toMatch(WALLET_AT);
    expect(await stored()).toEqual({ wallets: 1, verifications: 1, consents: 1 });
    const [consent] = await store.query<{ text_version: string; text_sha256: Buffer }>(
      'select text_version, text_sha256 from identity.wallet_consent',
    );
    expect(consent?.text_sha256.toString('hex')).toBe(keepText(consent?.text_version ?? '', 'es-CO')?.sha256);
  });

  it('of the same person is added to the wallet for its own address alone, and the page shows no difference', async () => {
    const [known, other] = [await wallets.verified(CÉDULA), await wallets.verified(CÉDULA)];
    const before = wallets.mailbox.messages(ANA).length;
    const strange = await other.keep('other@correo.example.co');
    const told = await wallets.mail(ANA, before);
    expect(told.subject).toBe('Una verificación no se agregó a su billetera');
    expect(told.text).toMatch(WALLET_AT);
    expect(await stored()).toEqual({ wallets: 1, verifications: 1, consents: 1 });

    const own = await known.keep(ANA.toLowerCase());
    await eventually(async () => expect(await stored()).toEqual({ wallets: 1, verifications: 2, consents: 2 }), 20_000);
    for (const step of ['asked', 'confirmed'] as const) {
      const seen = [strange[step], own[step]].map(({ status, body, headers }) => ({
        status,
        state: body.state,
        members: Object.keys(body),
        headers: [...headers.keys()],
      }));
      expect(seen[0]).toEqual(seen[1]);
    }
    expect(wallets.mailbox.messages('other@correo.example.co')).toHaveLength(1);
  });

  it('of another person is not kept with an address that opens a wallet already', async () => {
    const person = await wallets.verified(documentOf('retry'));
    const before = wallets.mailbox.messages(ANA).length;
    expect((await person.keep(ANA)).confirmed.body.state).toBe('confirmed');
    const told = await wallets.mail(ANA, before + 1);
    expect(told.subject).toBe('Su verificación no quedó guardada');
    expect(told.text).toMatch(WALLET_AT);
    expect((await stored()).wallets).toBe(1);
  });

  it('cannot be kept before its session has ended', async () => {
    const { person } = await wallets.opened(documentOf('retry'));
    expect((await person.call('')).status).toBe(409);
  });

  it('that the person asked to keep is forgotten with its subject', async () => {
    const person = await wallets.verified(documentOf('retry'));
    await person.ask('zoe@correo.example.co');
    expect(await store.query('select 1 from identity.wallet_offer where state = $1', ['code_sent'])).toHaveLength(1);
    const { status } = await wallets.platform.call(`/v1/kyc/subjects/${person.subjectId}`, {
      method: 'DELETE',
      key: person.flows.tenant.apiKey,
    });
    expect(status).toBe(200);
    expect(await store.query('select 1 from identity.wallet_offer where state = $1', ['code_sent'])).toEqual([]);
    expect((await person.call('')).status).toBe(404);
  });
});

it('a hundred guesses of a code at once are five', async () => {
  const person = await wallets.verified(documentOf('retry'));
  await wallets.forgetSends();
  const before = wallets.mailbox.messages('luz@correo.example.co').length;
  await person.ask('luz@correo.example.co');
  const code = codeIn(await wallets.mail('luz@correo.example.co', before));
  const guesses = Array.from({ length: 100 }, (_, at) => String((Number(code) + 1 + at) % 1_000_000).padStart(6, '0'));
  const statuses = (await Promise.all(guesses.map((guess) => person.call('/confirm', { code: guess })))).map(
    ({ status }) => status,
  );
  expect(statuses.filter((status) => status === 422)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(95);
  expect((await person.call('/confirm', { code })).status).toBe(429);
});

it('no table shows the person’s address, name or number, and no wallet shows another’s rows', async () => {
  expect(await findCanaries((sql, params) => store.query(sql, params), [ANA, CÉDULA])).toEqual([]);
  const [own] = await store.query<{ wallet_id: string }>('select wallet_id from identity.wallet');
  const database = wallets.platform.app.get(IdentityDatabase, { strict: false });
  const seen = (id: string) =>
    database.wallet(id, async (tx) => [
      (await tx.query('select 1 from identity.wallet')).length,
      (await tx.query('select 1 from identity.wallet_verification')).length,
      (await tx.query('select 1 from identity.wallet_consent')).length,
    ]);
  expect(await seen(own?.wallet_id ?? '')).toEqual([1, 2, 2]);
  expect(await seen('00000000-0000-7000-8000-000000000000')).toEqual([0, 0, 0]);
  await expect(store.query(`update identity.wallet_consent set kind = 'keep'`)).rejects.toThrow('never changed');
});
