import { sleep } from '@constancia/kernel';
import { Database, DatabaseUnavailableError } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ApiKeys, type KeyStore } from './api-keys.ts';
import { generateApiKey, hashSecret } from './secrets.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** The keys of one process: connections, cache and LISTEN of its own. Counts what it asks the store. */
async function process(
  options: { environment?: 'sandbox' | 'production'; onQuery?: () => Promise<void>; listens?: boolean } = {},
) {
  const store = await Database.connect({ url: database.app('signing'), applicationName: 'auth-test', poolSize: 5 });
  const counted = { queries: 0 };
  const view: KeyStore = {
    listen: store.listen.bind(store),
    async query<Row>(sql: string, params?: unknown[]) {
      counted.queries += 1;
      const rows = await store.query<Row>(sql, params);
      await options.onQuery?.();
      return rows;
    },
  };
  const keys = new ApiKeys(view, { environment: options.environment ?? 'sandbox' });
  if (options.listens !== false) await keys.start();
  onTestFinished(async () => {
    await keys.close();
    await store.close();
  });
  return { keys, store, counted };
}

/** Revokes a key as the platform's rotation does: in a transaction that notifies. */
async function revoke(plaintext: string): Promise<void> {
  const hash = hashSecret(plaintext);
  await database.query(
    `with changed as (update platform.api_key set status = 'revoked', expires_at = now() where key_hash = $1 returning key_hash)
     select pg_notify('api_key_changed', encode(key_hash, 'hex')) from changed`,
    [hash],
  );
}

/** How long after this moment, in milliseconds, the last request with the key was begun that was still let through. */
async function lastAccepted(keys: ApiKeys, plaintext: string, limitMs: number): Promise<number> {
  const start = performance.now();
  let accepted = 0;
  for (;;) {
    const begun = performance.now() - start;
    if (begun > limitMs) return Infinity;
    if ((await keys.resolve(plaintext)) === null) return accepted;
    accepted = begun;
    await sleep(10);
  }
}

describe('resolving a key', () => {
  it('answers the tenant, from the role of any module', async () => {
    const tenant = await testTenant(database);
    const { keys } = await process();
    expect(await keys.resolve(tenant.apiKey)).toEqual({
      id: tenant.id,
      keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      keyPrefix: tenant.apiKey.slice(0, 9),
      slug: tenant.slug,
      displayName: `Tenant ${tenant.slug}`,
      plan: 'sandbox',
      environment: 'sandbox',
    });
  });

  it('asks the store once for many requests at once, and not again within 5 s', async () => {
    const tenant = await testTenant(database);
    const { keys, counted } = await process();
    expect(keys.cached(tenant.apiKey)).toBeUndefined();
    const all = await Promise.all(Array.from({ length: 500 }, () => keys.resolve(tenant.apiKey)));
    expect(all.every((one) => one?.id === tenant.id)).toBe(true);
    await keys.resolve(tenant.apiKey);
    expect(keys.cached(tenant.apiKey)?.id).toBe(tenant.id);
    expect(counted.queries).toBe(1);
  });

  it('refuses malformed keys and keys of the other environment without asking the store', async () => {
    const { keys, counted } = await process();
    expect(await keys.resolve('')).toBeNull();
    expect(await keys.resolve('test_nonsense')).toBeNull();
    expect(await keys.resolve(generateApiKey('production').plaintext)).toBeNull();
    const production = await process({ environment: 'production' });
    expect(await production.keys.resolve(generateApiKey('sandbox').plaintext)).toBeNull();
    expect(counted.queries + production.counted.queries).toBe(0);
  });

  it('remembers an unknown key for 1 s only', async () => {
    const { keys, counted } = await process();
    const { plaintext } = generateApiKey('sandbox');
    for (let i = 0; i < 5; i++) expect(await keys.resolve(plaintext)).toBeNull();
    expect(counted.queries).toBe(1);
    await sleep(1_050);
    await keys.resolve(plaintext);
    expect(counted.queries).toBe(2);
  });

  it('refuses a key in its grace from the moment it ends, also from memory', async () => {
    const tenant = await testTenant(database);
    const { keys, counted } = await process();
    await database.query(
      `update platform.api_key set status = 'expiring', expires_at = now() + interval '2 s' where key_hash = $1`,
      [hashSecret(tenant.apiKey)],
    );
    expect((await keys.resolve(tenant.apiKey))?.id).toBe(tenant.id);
    await sleep(2_050);
    const asked = counted.queries;
    expect(keys.cached(tenant.apiKey)).toBeUndefined();
    expect(await keys.resolve(tenant.apiKey)).toBeNull();
    expect(asked).toBe(1);
  });

  it('throws DatabaseUnavailableError while the store is unavailable', async () => {
    const away = await Database.connect({ url: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'auth-test' });
    const keys = new ApiKeys(away, { environment: 'sandbox' });
    await expect(keys.resolve(generateApiKey('sandbox').plaintext)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await away.close();
  });
});

describe('a revoked key', () => {
  it('is refused by another process within 1 s', async () => {
    const tenant = await testTenant(database);
    const [one, other] = [await process(), await process()];
    for (const { keys } of [one, other]) expect(await keys.resolve(tenant.apiKey)).not.toBeNull();
    await revoke(tenant.apiKey);
    expect(await lastAccepted(one.keys, tenant.apiKey, 6_000)).toBeLessThan(1_000);
    expect(await lastAccepted(other.keys, tenant.apiKey, 6_000)).toBeLessThan(1_000);
  });

  it('is refused within 5 s when LISTEN is cut, and not earlier by chance', async () => {
    const tenant = await testTenant(database);
    const { keys } = await process({ listens: false });
    await keys.resolve(tenant.apiKey);
    await revoke(tenant.apiKey);
    const accepted = await lastAccepted(keys, tenant.apiKey, 8_000);
    expect(accepted).toBeLessThan(5_000);
    expect(accepted).toBeGreaterThan(3_000);
  });

  it('is refused within 1 s again once a terminated LISTEN connection is back', async () => {
    const tenant = await testTenant(database);
    const { keys, store } = await process();
    await keys.resolve(tenant.apiKey);
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'auth-test-listen' and datname = current_database()",
    );
    for (let i = 0; i < 100 && store.listening; i++) await sleep(10);
    for (let i = 0; i < 100 && !store.listening; i++) await sleep(50);
    await keys.resolve(tenant.apiKey);
    await revoke(tenant.apiKey);
    expect(await lastAccepted(keys, tenant.apiKey, 6_000)).toBeLessThan(1_000);
  });

  it('is not remembered by a look-up that had read it before the change', async () => {
    const tenant = await testTenant(database);
    let revoked = false;
    const { keys, counted } = await process({
      async onQuery() {
        if (revoked) return;
        revoked = true;
        await revoke(tenant.apiKey); // the row is read, the answer not yet remembered
        await sleep(200);
      },
    });
    expect(await keys.resolve(tenant.apiKey)).toBeNull();
    expect(counted.queries).toBe(2);
  });
});
