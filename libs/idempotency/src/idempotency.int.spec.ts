import { SecretBox, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnswerErasedError, KeyReusedError, RequestStillRunningError } from './errors.ts';
import { requestFingerprint } from './fingerprint.ts';
import { Idempotency, type StoredResponse } from './idempotency.ts';
import { ownedAnswers } from './owned-answers.ts';

let store: TestDatabase;
let database: Database;
const idempotency = new Idempotency('signing', new SecretBox([Buffer.alloc(32, 3)]));

beforeAll(async () => {
  store = await testDatabase();
  database = await Database.connect({ url: store.app('signing'), applicationName: 'idempotency', poolSize: 8 });
});
afterAll(async () => {
  await database.close();
  await store.drop();
});

const fingerprint = requestFingerprint({ method: 'POST', route: '/v1/envelopes', body: { a: 1 } });
const answer = (body: string): StoredResponse => ({
  status: 201,
  headers: { 'content-type': 'application/json' },
  body,
});

/** Does work once per key, in a transaction that lasts `ms`. */
function once(tenantId: string, key: string, body: string, ms = 0, print = fingerprint) {
  return database.tenant(tenantId, async (tx) => {
    const stored = await idempotency.claim(tx, tenantId, { key, fingerprint: print });
    if (stored) return stored;
    await new Promise((resolve) => setTimeout(resolve, ms));
    await idempotency.complete(tx, tenantId, key, answer(body));
    return null;
  });
}

describe('a claim', () => {
  it('is given once; later requests get the first answer', async () => {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    expect(await once(tenant, key, 'first')).toBeNull();
    expect(await once(tenant, key, 'second')).toEqual(answer('first'));
  });

  it('makes a parallel request wait for the first one and answer the same', async () => {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    const results = await Promise.all([
      once(tenant, key, 'a', 300),
      once(tenant, key, 'a', 300),
      once(tenant, key, 'a', 300),
    ]);
    expect(results.filter((result) => result === null)).toHaveLength(1);
    expect(results.filter((result) => result?.body === 'a')).toHaveLength(2);
  });

  it('gives up after 2 s', async () => {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    const slow = once(tenant, key, 'slow', 3_500);
    await new Promise((resolve) => setTimeout(resolve, 500)); // the first one has claimed the key
    const started = Date.now();
    const refused = await once(tenant, key, 'other').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RequestStillRunningError);
    expect(Date.now() - started).toBeGreaterThan(1_800);
    expect(Date.now() - started).toBeLessThan(3_000);
    await slow;
  });

  it('is read without being taken: the stored answer, or nothing', async () => {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    const find = (print = fingerprint) =>
      database.tenant(tenant, (tx) => idempotency.find(tx, tenant, { key, fingerprint: print }));
    expect(await find()).toBeNull();
    expect(await once(tenant, key, 'first')).toBeNull();
    expect(await find()).toEqual(answer('first'));
    const other = requestFingerprint({ method: 'POST', route: '/v1/screenings', body: { a: 1 } });
    await expect(find(other)).rejects.toBeInstanceOf(KeyReusedError);
    await store.query('update signing.idempotency_key set expires_at = now() where tenant_id = $1', [tenant]);
    expect(await find()).toBeNull();
    await store.query('delete from signing.idempotency_key where tenant_id = $1', [tenant]);
  });

  it('is refused for another request', async () => {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    await once(tenant, key, 'first');
    const other = requestFingerprint({ method: 'POST', route: '/v1/screenings', body: { a: 1 } });
    await expect(once(tenant, key, 'x', 0, other)).rejects.toBeInstanceOf(KeyReusedError);
  });

  it('leaves nothing behind when the work fails: the key works again', async () => {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    const failing = database.tenant(tenant, async (tx) => {
      await idempotency.claim(tx, tenant, { key, fingerprint });
      throw new Error('402');
    });
    await expect(failing).rejects.toThrow('402');
    expect(await once(tenant, key, 'after')).toBeNull();
  });

  it('belongs to its tenant, and to nobody after 24 hours', async () => {
    const [a, b, key] = [uuidv7(), uuidv7(), crypto.randomUUID()];
    await once(a, key, 'of a');
    expect(await once(b, key, 'of b')).toBeNull();
    await store.query('update signing.idempotency_key set expires_at = now() where tenant_id = $1', [a]);
    expect(await once(a, key, 'a day later')).toBeNull();
    await store.query(`update signing.idempotency_key set expires_at = now() - interval '1 s' where tenant_id = $1`, [
      a,
    ]);
    const [purged] = await database.query<{ purged: number }>('select signing.purge_idempotency_keys() as purged');
    expect(purged?.purged).toBe(1);
  });

  it('keeps a once-only secret encrypted', async () => {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    await database.tenant(tenant, async (tx) => {
      await idempotency.claim(tx, tenant, { key, fingerprint });
      await idempotency.complete(tx, tenant, key, answer('token-canary'), { secret: true });
    });
    const [row] = await store.query<{ body: Buffer }>('select body from signing.idempotency_key where tenant_id = $1', [
      tenant,
    ]);
    expect(row?.body.includes('token-canary')).toBe(false);
    expect(await once(tenant, key, 'x')).toEqual(answer('token-canary'));
  });
});

describe('an answer about a person', () => {
  const owner = { id: uuidv7(), key: Buffer.alloc(32, 5) };
  let destroyed = false;
  const owned = new Idempotency('signing', new SecretBox([Buffer.alloc(32, 3)]), (_tx, _tenant, id) =>
    Promise.resolve(!destroyed && id === owner.id ? owner.key : null),
  );
  const asked = (tenantId: string, key: string, idempotency = owned, print = fingerprint) =>
    database.tenant(tenantId, (tx) => idempotency.claim(tx, tenantId, { key, fingerprint: print }));

  beforeAll(async () => {
    await store.query(ownedAnswers('signing').replace('create index', 'create index if not exists'));
  });

  async function answered(): Promise<{ tenant: string; key: string }> {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    await database.tenant(tenant, async (tx) => {
      await owned.claim(tx, tenant, { key, fingerprint });
      await owned.complete(tx, tenant, key, answer('CANARIA INVENTADA'), { owner: owner.id });
    });
    return { tenant, key };
  }

  it('is sealed with that person’s key, and replayed as it was', async () => {
    const { tenant, key } = await answered();
    const [row] = await store.query<{ body: Buffer }>(
      'select body, headers from signing.idempotency_key where key = $1',
      [key],
    );
    expect(row?.body.includes('CANARIA')).toBe(false);
    expect(await asked(tenant, key)).toEqual(answer('CANARIA INVENTADA'));
    const other = requestFingerprint({ method: 'POST', route: '/v1/screenings', body: { a: 1 } });
    await expect(asked(tenant, key, owned, other)).rejects.toBeInstanceOf(KeyReusedError);
  });

  it('reads as a running request to a release that does not know owners', async () => {
    const { key } = await answered();
    const [row] = await store.query<{ status: number | null }>(
      'select status from signing.idempotency_key where key = $1',
      [key],
    );
    expect(row?.status).toBeNull();
  });

  it('is not replayed once the key is destroyed', async () => {
    const { tenant, key } = await answered();
    destroyed = true;
    await expect(asked(tenant, key).finally(() => (destroyed = false))).rejects.toBeInstanceOf(AnswerErasedError);
  });

  it('is erased with its owner: nothing is answered, nothing carried out again, what was asked is forgotten', async () => {
    const { tenant, key } = await answered();
    const kept = await answered();
    await database.tenant(tenant, (tx) => owned.eraseOwner(tx, tenant, owner.id));
    await expect(asked(tenant, key)).rejects.toBeInstanceOf(AnswerErasedError);
    const [row] = await store.query<{ body: Buffer | null; fingerprint: Buffer }>(
      'select body, fingerprint from signing.idempotency_key where key = $1',
      [key],
    );
    expect(row).toEqual({ body: null, fingerprint: Buffer.alloc(32) });
    expect(await asked(kept.tenant, kept.key)).toEqual(answer('CANARIA INVENTADA'));
  });

  it('that an earlier release stored as it was is found by what it says', async () => {
    const [tenant, key, other] = [uuidv7(), crypto.randomUUID(), crypto.randomUUID()];
    await once(tenant, key, '{"subject_id":"sub_1"}');
    await once(tenant, other, '{"subject_id":"sub_2"}');
    await database.tenant(tenant, (tx) => owned.eraseContaining(tx, tenant, 'sub_1'));
    await expect(asked(tenant, key)).rejects.toBeInstanceOf(AnswerErasedError);
    expect((await asked(tenant, other))?.body).toBe('{"subject_id":"sub_2"}');
  });

  it('is not kept when the key is gone already', async () => {
    const [tenant, key] = [uuidv7(), crypto.randomUUID()];
    await database.tenant(tenant, async (tx) => {
      await owned.claim(tx, tenant, { key, fingerprint });
      await owned.complete(tx, tenant, key, answer('x'), { owner: uuidv7() });
    });
    expect(await asked(tenant, key)).toBeNull();
  });
});

describe('a fingerprint', () => {
  const base = {
    method: 'POST',
    route: '/v1/x/{id}',
    params: { id: '1' },
    body: { a: 1, b: [1, 2] },
    contentType: 'application/json',
  };

  it('does not depend on member order, method case or content type parameters', () => {
    const same = { ...base, method: 'post', body: { b: [1, 2], a: 1 }, contentType: 'application/json; charset=utf-8' };
    expect(requestFingerprint(same)).toEqual(requestFingerprint(base));
  });

  it.each([
    ['method', { method: 'PUT' }],
    ['route', { route: '/v1/y/{id}' }],
    ['path parameter', { params: { id: '2' } }],
    ['body', { body: { a: 1, b: [2, 1] } }],
    ['content type', { contentType: 'application/pdf' }],
  ])('depends on the %s', (_, change) => {
    expect(requestFingerprint({ ...base, ...change })).not.toEqual(requestFingerprint(base));
  });
});
