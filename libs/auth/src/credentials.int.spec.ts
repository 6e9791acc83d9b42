import { sleep } from '@constancia/kernel';
import { Database, DatabaseUnavailableError } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SCOPES } from '@constancia/contracts';
import type { PresentedCredential } from '@constancia/http';
import { Credentials, type CredentialStore } from './credentials.ts';
import { generateApiKey, hashSecret } from './secrets.ts';

/** An API key as a request presents it. */
const key = (text: string, clientIp = '192.0.2.1'): PresentedCredential => ({ kind: 'key', text, clientIp });

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
  const view: CredentialStore = {
    listen: store.listen.bind(store),
    async query<Row>(sql: string, params?: unknown[]) {
      counted.queries += 1;
      const rows = await store.query<Row>(sql, params);
      await options.onQuery?.();
      return rows;
    },
  };
  const keys = new Credentials(view, { environment: options.environment ?? 'sandbox' });
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
async function lastAccepted(keys: Credentials, plaintext: string, limitMs: number): Promise<number> {
  const start = performance.now();
  let accepted = 0;
  for (;;) {
    const begun = performance.now() - start;
    if (begun > limitMs) return Infinity;
    if ((await keys.resolve(key(plaintext))) === null) return accepted;
    accepted = begun;
    await sleep(10);
  }
}

describe('resolving a key', () => {
  it('returns the principal, from the role of any module', async () => {
    const tenant = await testTenant(database);
    const { keys } = await process();
    expect(await keys.resolve(key(tenant.apiKey))).toEqual({
      kind: 'key',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'default',
      prefix: tenant.apiKey.slice(0, 9),
      scopes: new Set(SCOPES),
      inGrace: false,
      tenant: {
        id: tenant.id,
        slug: tenant.slug,
        displayName: `Tenant ${tenant.slug}`,
        plan: 'sandbox',
        environment: 'sandbox',
        standing: 'active',
      },
    });
  });

  it('asks the store once for many requests at once, and not again within 5 s', async () => {
    const tenant = await testTenant(database);
    const { keys, counted } = await process();
    expect(keys.cached(key(tenant.apiKey))).toBeUndefined();
    const all = await Promise.all(Array.from({ length: 500 }, () => keys.resolve(key(tenant.apiKey))));
    expect(all.every((one) => one?.tenant.id === tenant.id)).toBe(true);
    await keys.resolve(key(tenant.apiKey));
    expect(keys.cached(key(tenant.apiKey))?.tenant.id).toBe(tenant.id);
    expect(counted.queries).toBe(1);
  });

  it('refuses malformed keys and keys of the other environment without asking the store', async () => {
    const { keys, counted } = await process();
    expect(await keys.resolve(key(''))).toBeNull();
    expect(await keys.resolve(key('test_nonsense'))).toBeNull();
    expect(await keys.resolve(key(generateApiKey('production').plaintext))).toBeNull();
    const production = await process({ environment: 'production' });
    expect(await production.keys.resolve(key(generateApiKey('sandbox').plaintext))).toBeNull();
    expect(counted.queries + production.counted.queries).toBe(0);
  });

  it('remembers an unknown key for 1 s only', async () => {
    const { keys, counted } = await process();
    const { plaintext } = generateApiKey('sandbox');
    for (let i = 0; i < 5; i++) expect(await keys.resolve(key(plaintext))).toBeNull();
    expect(counted.queries).toBe(1);
    await sleep(1_050);
    await keys.resolve(key(plaintext));
    expect(counted.queries).toBe(2);
  });

  it('refuses a key in its grace from the moment it ends, also from memory', async () => {
    const tenant = await testTenant(database);
    const { keys, counted } = await process();
    await database.query(
      `update platform.api_key set status = 'expiring', expires_at = now() + interval '2 s' where key_hash = $1`,
      [hashSecret(tenant.apiKey)],
    );
    expect((await keys.resolve(key(tenant.apiKey)))?.tenant.id).toBe(tenant.id);
    await sleep(2_050);
    const asked = counted.queries;
    expect(keys.cached(key(tenant.apiKey))).toBeUndefined();
    expect(await keys.resolve(key(tenant.apiKey))).toBeNull();
    expect(asked).toBe(1);
  });

  it('throws DatabaseUnavailableError while the store is unavailable', async () => {
    const away = await Database.connect({ url: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'auth-test' });
    const keys = new Credentials(away, { environment: 'sandbox' });
    await expect(keys.resolve(key(generateApiKey('sandbox').plaintext))).rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
    await away.close();
  });
});

describe('a key with limits', () => {
  const limit = (apiKey: string, change: string, value: unknown) =>
    database.query(`update platform.api_key set ${change} = $2 where key_hash = $1`, [hashSecret(apiKey), value]);

  it('has the scopes that it was given, and no other', async () => {
    const tenant = await testTenant(database);
    await limit(tenant.apiKey, 'scopes', ['signing:read']);
    const { keys } = await process();
    expect((await keys.resolve(key(tenant.apiKey)))?.scopes).toEqual(new Set(['signing:read']));
  });

  it('is accepted from its networks only, also from memory', async () => {
    const tenant = await testTenant(database);
    await limit(tenant.apiKey, 'allowed_cidrs', ['192.0.2.0/24', '2001:db8::/32']);
    const { keys, counted } = await process();
    expect(await keys.resolve(key(tenant.apiKey, '203.0.113.1'))).toBeNull();
    expect(await keys.resolve(key(tenant.apiKey, '192.0.2.9'))).not.toBeNull();
    expect(await keys.resolve(key(tenant.apiKey, '2001:db8::9'))).not.toBeNull();
    expect(keys.cached(key(tenant.apiKey, '203.0.113.1'))).toBeUndefined();
    expect(keys.cached(key(tenant.apiKey, '192.0.2.9'))).toBeDefined();
    expect(counted.queries).toBe(1);
  });

  it('is unknown to the function of the former release, which would give it every scope from everywhere', async () => {
    const tenant = await testTenant(database);
    const { store } = await process();
    const former = () => store.query('select * from platform_v1.resolve_api_key($1)', [hashSecret(tenant.apiKey)]);
    expect(await former()).toHaveLength(1);
    await limit(tenant.apiKey, 'scopes', ['signing:read']);
    expect(await former()).toHaveLength(0);
  });

  it('loses nothing but the time in its grace', async () => {
    const tenant = await testTenant(database);
    await database.query(
      `update platform.api_key set status = 'expiring', expires_at = now() + interval '1 h' where key_hash = $1`,
      [hashSecret(tenant.apiKey)],
    );
    const { keys } = await process();
    expect(await keys.resolve(key(tenant.apiKey))).toMatchObject({ inGrace: true, scopes: new Set(SCOPES) });
  });
});

describe('a revoked key', () => {
  it('is refused by another process within 1 s', async () => {
    const tenant = await testTenant(database);
    const [one, other] = [await process(), await process()];
    for (const { keys } of [one, other]) expect(await keys.resolve(key(tenant.apiKey))).not.toBeNull();
    await revoke(tenant.apiKey);
    expect(await lastAccepted(one.keys, tenant.apiKey, 6_000)).toBeLessThan(1_000);
    expect(await lastAccepted(other.keys, tenant.apiKey, 6_000)).toBeLessThan(1_000);
  });

  it('is refused within 5 s when LISTEN is cut, and not earlier by chance', async () => {
    const tenant = await testTenant(database);
    const { keys } = await process({ listens: false });
    await keys.resolve(key(tenant.apiKey));
    await revoke(tenant.apiKey);
    const accepted = await lastAccepted(keys, tenant.apiKey, 8_000);
    expect(accepted).toBeLessThan(5_000);
    expect(accepted).toBeGreaterThan(3_000);
  });

  it('is refused within 1 s again once a terminated LISTEN connection is back', async () => {
    const tenant = await testTenant(database);
    const { keys, store } = await process();
    await keys.resolve(key(tenant.apiKey));
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'auth-test-listen' and datname = current_database()",
    );
    for (let i = 0; i < 100 && store.listening; i++) await sleep(10);
    for (let i = 0; i < 100 && !store.listening; i++) await sleep(50);
    await keys.resolve(key(tenant.apiKey));
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
    expect(await keys.resolve(key(tenant.apiKey))).toBeNull();
    expect(counted.queries).toBe(2);
  });
});
