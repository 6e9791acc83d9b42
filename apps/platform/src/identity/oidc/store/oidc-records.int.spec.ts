import { randomBytes } from 'node:crypto';
import { SecretBox } from '@constancia/kernel';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityDatabase } from '../../identity-database.ts';
import { OidcRecords, StoreUnavailable } from './oidc-records.ts';

const ROUNDS = 200;
const AT_ONCE = 16;

let store: TestDatabase;
let database: IdentityDatabase;
let records: OidcRecords;

beforeAll(async () => {
  store = await testDatabase();
  database = await IdentityDatabase.connect({ url: store.app('identity'), applicationName: 'oidc', poolSize: AT_ONCE });
  records = new OidcRecords(database, new SecretBox([randomBytes(32)]));
});
afterAll(async () => {
  await database?.close();
  await store?.drop();
});

const newId = () => randomBytes(32).toString('base64url');

/** The outcomes of so many calls at once: how many succeeded, and what the others were refused with. */
async function race(call: () => Promise<unknown>): Promise<{ succeeded: number; refusals: Set<string> }> {
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, call));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  const refusals = new Set(refused.map(({ reason }) => (reason as { error: string }).error));
  return { succeeded: outcomes.length - refused.length, refusals };
}

describe('a record is consumed once', () => {
  it.each([
    ['AuthorizationCode', 'invalid_grant'],
    ['RefreshToken', 'invalid_grant'],
    ['PushedAuthorizationRequest', 'invalid_request_uri'],
  ])(`of ${AT_ONCE} at once, in ${ROUNDS} rounds: %s`, async (model, refusal) => {
    const adapter = records.adapter(model);
    for (let round = 0; round < ROUNDS; round++) {
      const id = newId();
      await adapter.upsert(id, { jti: id, grantId: 'g' }, 60);
      expect(await race(() => adapter.consume(id))).toEqual({ succeeded: 1, refusals: new Set([refusal]) });
      expect((await adapter.find(id))?.consumed).toEqual(expect.any(Number));
    }
  });

  it('stays consumed when it is written again', async () => {
    const adapter = records.adapter('RefreshToken');
    const id = newId();
    await adapter.upsert(id, { jti: id }, 60);
    await adapter.consume(id);
    await adapter.upsert(id, { jti: id }, 60);
    await expect(adapter.consume(id)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

it('of proofs with one jti that come at once, one is new', async () => {
  const adapter = records.adapter('ReplayDetection');
  for (let round = 0; round < 20; round++) {
    const id = newId();
    const proof = () => adapter.upsert(id, { jti: id }, 60);
    expect(await race(proof)).toEqual({ succeeded: 1, refusals: new Set(['invalid_request']) });
  }
});

it('finds by id, by uid within its model, and not after it was destroyed or its grant revoked', async () => {
  const sessions = records.adapter('Session');
  const [id, uid, grantId] = [newId(), newId(), newId()];
  await sessions.upsert(id, { jti: id, uid, accountId: 'a' }, 60);
  expect(await sessions.findByUid(uid)).toMatchObject({ jti: id, accountId: 'a' });
  expect(await records.adapter('Interaction').findByUid(uid)).toBeUndefined();
  expect(await records.adapter('AccessToken').find(id)).toBeUndefined();
  await sessions.destroy(id);
  expect(await sessions.findByUid(uid)).toBeUndefined();

  const [tokens, codes] = [records.adapter('RefreshToken'), records.adapter('AuthorizationCode')];
  for (const adapter of [tokens, codes]) await adapter.upsert(id, { jti: id, grantId }, 60);
  await tokens.revokeByGrantId(grantId);
  expect(await tokens.find(id)).toBeUndefined();
  expect(await codes.find(id)).toMatchObject({ grantId });
});

it('neither ids nor payloads are in the table in the clear, and a payload opens in its own row alone', async () => {
  const adapter = records.adapter('Interaction');
  const [id, other] = [newId(), newId()];
  await adapter.upsert(id, { jti: id, params: { login_hint: 'ana@mail.example' } }, 60);
  await adapter.upsert(other, { jti: other }, 60);
  const dump = await store.query<{ row: string }>(
    `select model || encode(id_hash, 'escape') || encode(sealed, 'escape') as row from identity.oidc_record where model = 'Interaction'`,
  );
  for (const { row } of dump)
    for (const secret of [id, 'ana@mail.example', 'login_hint']) expect(row).not.toContain(secret);
  await store.query(
    `update identity.oidc_record set sealed = (select sealed from identity.oidc_record where id_hash = sha256($1::bytea))
      where id_hash = sha256($2::bytea)`,
    [Buffer.from(id), Buffer.from(other)],
  );
  await expect(adapter.find(other)).rejects.toThrow();
});

it('what expired an hour ago is deleted, and nothing else', async () => {
  const adapter = records.adapter('AccessToken');
  const [old, expired, valid] = [newId(), newId(), newId()];
  await adapter.upsert(old, { jti: old }, -3_700);
  await adapter.upsert(expired, { jti: expired }, -60);
  await adapter.upsert(valid, { jti: valid }, 60);
  await database.query('select identity.delete_old_oidc_records(1000)');
  expect(await Promise.all([old, expired, valid].map(async (id) => (await adapter.find(id))?.jti))).toEqual([
    undefined,
    expired,
    valid,
  ]);
});

it('a store that is unavailable is 503 temporarily_unavailable', async () => {
  const url = 'postgres://nobody@127.0.0.1:1/none';
  const away = await IdentityDatabase.connect({ url, applicationName: 'oidc' });
  const adapter = new OidcRecords(away, new SecretBox([randomBytes(32)])).adapter('AccessToken');
  await expect(adapter.find('x')).rejects.toBeInstanceOf(StoreUnavailable);
  await expect(adapter.find('x')).rejects.toMatchObject({ error: 'temporarily_unavailable', statusCode: 503 });
  await away.close();
});
