import { createHash } from 'node:crypto';
import { type WalletExport, walletFaceRecord, walletRecordContext, WALLET_ROUTES } from '@constancia/contracts';
import { SecretBox, uuidOf } from '@constancia/kernel';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { findCanaries } from '@constancia/testing/canary-scan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { IdentityDatabase } from '../identity-database.ts';
import { picture } from '../uploads/pictures.fixture.ts';
import { keepText } from './keep-texts.ts';
import { signedInPerson } from './signed-in-person.fixture.ts';
import { codeIn, documentOf, RunningWallets, type VerifiedPerson } from './wallet.fixture.ts';
import { WalletKeys } from './wallet-keys.ts';

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

/** Gives the session of a person the selfie that a step with engines would have compared. */
async function withSelfie({ flows, subjectId }: VerifiedPerson): Promise<void> {
  const key = flows.tenant.apiKey;
  const { body } = await wallets.platform.call<{ upload_url: string; stored_uri: string }>(
    `/v1/kyc/subjects/${subjectId}/presign-upload`,
    { key, body: { kind: 'selfie' } },
  );
  const bytes = await picture('jpeg', { width: 1_500, height: 2_000 });
  const { pathname, search } = new URL(body.upload_url);
  const headers = { 'content-type': 'image/jpeg' };
  const put = await fetch(`${wallets.platform.url}${pathname}${search}`, { method: 'PUT', headers, body: bytes });
  expect(put.status).toBe(204);
  const selfie = uuidOf('ast', body.stored_uri.slice('asset://'.length));
  await store.query(`update identity.step_run set input = $2 where subject_id = $1 and step_type = 'face'`, [
    uuidOf('sub', subjectId),
    JSON.stringify({ v: 1, selfie }),
  ]);
}

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

describe('the picture of the face that was compared', () => {
  const LUZ = 'luz.marin@correo.example.co';
  const person = async (email: string, version?: string) => {
    const verified = await wallets.verified(documentOf('retry'));
    await withSelfie(verified);
    await wallets.forgetSends();
    const before = wallets.mailbox.messages(email).length;
    const { version: current, locale } = (await verified.call('')).body.consent;
    const shown = { version: version ?? current, locale, sha256: keepText(version ?? current, locale)?.sha256 };
    expect((await verified.call('', { accepted: true, email, ...shown })).status).toBe(202);
    await verified.call('/confirm', { code: codeIn(await wallets.mail(email, before)) });
    await wallets.mail(email, before + 1);
  };
  const faces = () =>
    store.query<{ wallet_id: string; verification_id: string; sealed: Buffer; wrapped_key: Buffer }>(
      'select f.*, w.wrapped_key from identity.wallet_face f join identity.wallet w using (wallet_id)',
    );

  it('is not kept under a text that did not say so', async () => {
    await person(LUZ, '2026-11-26');
    expect(await faces()).toEqual([]);
  });

  it('is kept small and sealed with the wallet’s key, is named in the export alone, and goes with the wallet', async () => {
    await person(LUZ);
    const [face] = await faces();
    if (face === undefined) throw new Error('no face is kept');
    const key = await wallets.platform.app.get(WalletKeys, { strict: false }).unwrap(face.wallet_id, face.wrapped_key);
    const context = walletRecordContext(face.wallet_id, walletFaceRecord(face.verification_id));
    const jpeg = new SecretBox([key]).open(face.sealed, context);
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 768, height: 1_024 });

    const token = await signedInPerson(wallets.platform, store, face.wallet_id);
    const { body } = await wallets.host.call<WalletExport>(WALLET_ROUTES.export, { token });
    expect(body.face_kept_at).toEqual(expect.any(String));
    expect(JSON.stringify(body)).not.toContain(jpeg.toString('base64').slice(0, 40));
    const erased = await wallets.host.call(WALLET_ROUTES.wallet, { token, method: 'DELETE' });
    expect(erased.body).toMatchObject({ erased: expect.arrayContaining(['face_picture']) as string[] });
    expect(await faces()).toEqual([]);
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
  const [own] = await store.query<{ wallet_id: string }>(
    'select wallet_id from identity.wallet where erased_at is null',
  );
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
