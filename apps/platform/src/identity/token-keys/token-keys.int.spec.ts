import { readJwt, verifyJwt } from '@constancia/signed-jwt';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DataKeys } from '@constancia/kms';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { runningIdentity, type RunningIdentity } from '../running-identity.fixture.ts';
import { RotateTokenKeys } from './rotate-token-keys.ts';
import { periodsOf } from './token-key-sets.ts';
import { TokenKeys } from './token-keys.ts';

const SET = 'wallet_session';
const TYP = 'wallet-session+jwt';
const { useSeconds, publishSeconds, keepSeconds } = periodsOf(SET);

let store: TestDatabase;
let platform: RunningIdentity;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningIdentity(store);
});
beforeEach(() => store.query('delete from identity.token_key'));
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

/** A process that has read nothing yet. */
const process = () =>
  new TokenKeys(
    platform.app.get(IdentityDatabase, { strict: false }),
    platform.app.get(DataKeys, { strict: false }),
    platform.app.get(PlatformConfig, { strict: false }),
  );
const sign = async (keys: TokenKeys) => (await keys.signer(SET))(TYP, { sub: 'x' });
const verify = (token: string) => verifyJwt(token, { typ: TYP, findKey: process().finder(SET) });
const kidOf = (token: string) => readJwt(token, 4_096).header.kid;
const rotate = () => platform.app.get(RotateTokenKeys, { strict: false }).run();
const states = async () =>
  (await store.query<{ state: string }>('select state from identity.token_key order by published_at, kid')).map(
    ({ state }) => state,
  );
/** Moves every time of the keys back. */
const pass = (seconds: number) =>
  store.query(
    `update identity.token_key set published_at = published_at - make_interval(secs => $1),
            current_since = current_since - make_interval(secs => $1), retired_at = retired_at - make_interval(secs => $1)`,
    [seconds],
  );

it('processes that sign for the first time at once agree on one key', async () => {
  const tokens = await Promise.all(Array.from({ length: 8 }, () => sign(process())));
  expect(new Set(tokens.map(kidOf)).size).toBe(1);
  expect((await states()).filter((state) => state === 'current')).toEqual(['current']);
  for (const token of tokens) await expect(verify(token)).resolves.toMatchObject({ payload: { sub: 'x' } });
});

it('a key is published for a day before it signs, and verifies until its last token has expired for a day', async () => {
  const former = await sign(process());
  await pass(useSeconds - publishSeconds + 60);
  await rotate();
  await rotate();
  expect(await states()).toEqual(['current', 'next']);
  expect(kidOf(await sign(process()))).toBe(kidOf(former));

  await pass(publishSeconds - 120);
  await rotate();
  expect(await states()).toEqual(['current', 'next']);
  await pass(120);
  await rotate();
  expect(await states()).toEqual(['retired', 'current']);
  const later = await sign(process());
  expect(kidOf(later)).not.toBe(kidOf(former));
  await expect(verify(former)).resolves.toBeDefined();

  await pass(keepSeconds - 60);
  await rotate();
  await expect(verify(former)).resolves.toBeDefined();
  await pass(60);
  await rotate();
  expect(await states()).toEqual(['current']);
  await expect(verify(former)).rejects.toMatchObject({ reason: 'key' });
  await expect(verify(later)).resolves.toBeDefined();
});

it('a next key that was published late keeps the current one in use for its whole day', async () => {
  const former = await sign(process());
  await pass(useSeconds * 2);
  await rotate();
  await rotate();
  expect(await states()).toEqual(['current', 'next']);
  expect(kidOf(await sign(process()))).toBe(kidOf(former));
});

it('a process that knows the set already finds a key that was added since', async () => {
  const long = process();
  await sign(long);
  await pass(useSeconds);
  await rotate();
  await pass(publishSeconds);
  await rotate();
  const token = await sign(process());
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  await expect(verifyJwt(token, { typ: TYP, findKey: long.finder(SET) })).resolves.toBeDefined();
});

it('the private key is stored encrypted with a key that KMS wraps, and is destroyed when the key retires', async () => {
  await sign(process());
  const [row] = await store.query<{
    sealed_private: Buffer;
    public_jwk: { x: string; d?: string };
    wrapped_key: Buffer;
  }>('select sealed_private, public_jwk, wrapped_key from identity.token_key');
  expect(row?.public_jwk.d).toBeUndefined();
  expect(row?.sealed_private.includes(Buffer.from(row.public_jwk.x, 'base64url'))).toBe(false);
  await platform.kms.close();
  await expect(process().signer(SET)).rejects.toMatchObject({ slug: 'dependency-unavailable' });
});
