import { randomUUID } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { type Scope, SCOPES } from '@constancia/contracts';
import { sleep, typeId, uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { eventually, testDatabase, type TestDatabase, type TestTenant, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AuditPage } from '../audit-log/audit-entry-view.ts';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import type { KeyPage, KeyView, NewKeyView, RotatedKeyView } from './api-key-view.ts';

let store: TestDatabase;
let platform: RunningPlatform;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});
beforeEach(async () => {
  tenant = await testTenant(store);
});

const PATH = '/v1/api-keys';
const as = (key: string) => <Body = KeyView>(method: string, path = '', body?: unknown, headers: Record<string, string> = {}) =>
  platform.call<Body>(`${PATH}${path}`, { method, body, key, headers }); // prettier-ignore
const owner = <Body = KeyView>(...args: [method: string, path?: string, body?: unknown, headers?: Record<string, string>]) =>
  as(tenant.apiKey)<Body>(...args); // prettier-ignore
const created = async (scopes: Scope[], more: object = {}): Promise<NewKeyView> => {
  const { status, body } = await owner<NewKeyView>('POST', '', { name: 'ERP', scopes, ...more });
  expect(status).toBe(201);
  return body;
};
const balance = async (key: string, headers: Record<string, string> = {}): Promise<number> =>
  (await platform.call('/v1/billing/balance', { key, headers })).status;
const rotateDefault = (key: string, body: object = {}, headers: Record<string, string> = {}) =>
  platform.call<{ api_key: string }>(`/tenants/${tenant.id}/rotate-api-key`, { method: 'POST', key, body, headers });
const defaultId = async () => {
  const { body } = await owner<KeyPage>('GET');
  return body.data.find(({ is_default }) => is_default)?.id ?? '';
};
const audited = async (): Promise<AuditPage['data']> =>
  (await platform.call<AuditPage>('/v1/audit-log?order=asc', { key: tenant.apiKey })).body.data;

describe('an API key', () => {
  it('does what its scopes say and nothing else, and is shown once', async () => {
    const key = await created(['billing:read'], { metadata: { team: 'treasury' }, external_ref: 'erp-1' });
    expect(key.api_key).toMatch(/^test_[0-9A-Za-z]{49}$/);
    expect(await balance(key.api_key)).toBe(200);
    const refused = await platform.call('/v1/events', { key: key.api_key });
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('webhooks:read')]);
    const { body } = await owner('GET', `/${key.id}`);
    const { api_key, ...shown } = key;
    expect({ ...body, last_used_at: null, last_used_ip: null }).toEqual(shown);
    expect(body).toMatchObject({ created_by: { kind: 'key', name: 'default' }, metadata: { team: 'treasury' } });
    expect(JSON.stringify(await store.query('select * from platform.api_key'))).not.toContain(api_key);
    expect((await owner<KeyPage>('GET', '?external_ref=erp-1')).body.data.map(({ id }) => id)).toEqual([key.id]);
    expect((await owner<KeyPage>('GET', '?limit=1&order=asc')).body.data[0]).toMatchObject({ name: 'default', is_default: true, scopes: null, created_by: null }); // prettier-ignore
  });

  it('is of its tenant: others neither see nor change it', async () => {
    const key = await created(['billing:read']);
    const stranger = as((await testTenant(store)).apiKey);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/rotate', {}],
    ] as const)
      // prettier-ignore
      expect((await stranger(method, `/${key.id}${path}`, body)).status).toBe(404);
    expect((await stranger<KeyPage>('GET')).body.data).toHaveLength(1);
    expect(await balance(key.api_key)).toBe(200);
  });

  it('is created once for an Idempotency-Key, sealed in the store, and only for who asked', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: 'ERP', scopes: ['billing:read', 'keys:write'] };
    const first = await owner<NewKeyView>('POST', '', body, headers);
    const again = await owner<NewKeyView>('POST', '', body, headers);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
    expect((await owner<KeyPage>('GET')).body.data).toHaveLength(2);
    const other = as(first.body.api_key);
    expect((await other('POST', '', body, headers)).status).toBe(422);
    const [row] = await store.query<{ stored: string }>("select encode(body, 'escape') as stored from platform.idempotency_key where tenant_id = $1", [tenant.id]); // prettier-ignore
    expect(row?.stored).not.toContain(first.body.api_key);
  });

  it('stops at its end, and is shown as expired until it is deleted', async () => {
    const key = await created(['billing:read'], { expires_at: new Date(Date.now() + 2_000).toISOString() });
    expect(await balance(key.api_key)).toBe(200);
    await sleep(2_050);
    expect(await balance(key.api_key)).toBe(401);
    expect((await owner('GET', `/${key.id}`)).body.status).toBe('expired');
    expect((await owner('POST', `/${key.id}/rotate`)).status).toBe(409);
    await owner('PATCH', `/${key.id}`, { expires_at: null });
    await eventually(async () => expect(await balance(key.api_key)).toBe(200), 2_000, 20);
    const past = await owner('PATCH', `/${key.id}`, { expires_at: '2020-01-01' });
    expect([past.status, past.body]).toMatchObject([400, { errors: [{ pointer: '/expires_at' }] }]);
  });

  it('is refused what it may not be', async () => {
    const bodies: [object, string][] = [
      [{ scopes: ['billing:read'] }, '/name'],
      [{ name: 'x', scopes: [] }, '/scopes'],
      [{ name: 'x', scopes: ['everything'] }, '/scopes'],
      [{ name: 'x', scopes: ['billing:read'], allowed_cidrs: ['10.0.0.0/33'] }, '/allowed_cidrs'],
      [{ name: 'x', scopes: ['billing:read'], allowed_cidrs: [] }, '/allowed_cidrs'],
      [{ name: 'a\u202eb', scopes: ['billing:read'] }, '/name'],
      [{ name: 'x', scopes: ['billing:read'], metadata: { n: 1 } }, '/metadata'],
      [{ name: 'x', scopes: ['billing:read'], is_default: true }, '/is_default'],
    ];
    for (const [body, pointer] of bodies) {
      const { status, body: problem } = await owner<{ errors: { pointer: string }[] }>('POST', '', body);
      expect([status, problem.errors[0]?.pointer]).toEqual([400, pointer]);
    }
  });

  it('is one of fifty at most, however many are created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => owner<NewKeyView>('POST', '', { name: `k${i}`, scopes: ['billing:read'] })),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(409)]).toEqual([49, 11]); // the default key is one of the fifty
    const made = answers.find(({ status }) => status === 201)?.body as NewKeyView;
    expect((await owner('DELETE', `/${made.id}`)).status).toBe(204);
    expect((await owner('POST', '', { name: 'again', scopes: ['billing:read'] })).status).toBe(201);
  });
});

describe('what a key with keys:write may not do', () => {
  it('it gives no scope that it does not hold, neither to a new key nor to itself, and the answer names it', async () => {
    const limited = await created(['keys:write', 'billing:read']);
    const call = as(limited.api_key);
    const refused = await call('POST', '', { name: 'more', scopes: ['billing:read', 'signing:write'] });
    expect([refused.status, (refused.body as unknown as { detail: string }).detail]).toEqual([403, expect.stringContaining('signing:write')]); // prettier-ignore
    expect((await call('PATCH', `/${limited.id}`, { scopes: ['keys:write', 'members:write'] })).status).toBe(403);
    expect((await call('POST', '', { name: 'less', scopes: ['billing:read'] })).status).toBe(201);
    expect((await call('PATCH', `/${limited.id}`, { scopes: ['keys:write'] })).status).toBe(200);
  });

  it('it neither changes nor rotates a key that holds more, the default key above all', async () => {
    const limited = as((await created(['keys:write'])).api_key);
    const stronger = await created(['keys:write', 'signing:write']);
    for (const id of [stronger.id, await defaultId()]) {
      for (const body of [{ allowed_cidrs: null }, { scopes: ['keys:write'] }, { expires_at: null }])
        expect((await limited('PATCH', `/${id}`, body)).status).toBe(403);
      expect((await limited('POST', `/${id}/rotate`, {})).status).toBe(403);
    }
    const attempt = await rotateDefault((await created(['keys:write'])).api_key);
    expect([attempt.status, (attempt.body as unknown as { detail: string }).detail]).toEqual([403, expect.stringContaining('identity:read')]); // prettier-ignore
    expect((await limited('DELETE', `/${stronger.id}`)).status).toBe(204); // taking away gives nobody more
    expect(await balance(tenant.apiKey)).toBe(200);
  });

  it('the default key is neither deleted nor limited', async () => {
    const id = await defaultId();
    expect((await owner('DELETE', `/${id}`)).status).toBe(409);
    for (const body of [{ name: 'x' }, { scopes: ['keys:write'] }, { expires_at: '2999-01-01' }])
      expect((await owner('PATCH', `/${id}`, body)).status).toBe(409);
    expect((await owner('PATCH', `/${id}`, { allowed_cidrs: ['0.0.0.0/0'] })).status).toBe(200);
  });
});

describe('a rotation', () => {
  it('keeps id, name, scopes, networks and end, and leaves every other key alone', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const key = await created(['billing:read', 'keys:write'], { allowed_cidrs: ['0.0.0.0/0'], expires_at });
    const other = await created(['billing:read']);
    const { status, body } = await as(key.api_key)<RotatedKeyView>('POST', `/${key.id}/rotate`, { grace_seconds: 0 });
    expect([status, body.id]).toEqual([200, key.id]);
    const { body: shown } = await owner('GET', `/${key.id}`);
    expect(shown).toMatchObject({ name: 'ERP', scopes: key.scopes, allowed_cidrs: ['0.0.0.0/0'], expires_at });
    expect(shown.rotated_at).toBe(body.rotated_at);
    await eventually(async () => expect(await balance(key.api_key)).toBe(401), 1_000, 20);
    for (const alive of [body.api_key, other.api_key, tenant.apiKey]) expect(await balance(alive)).toBe(200);
  });

  it('of the default key, by itself, by another key with every scope, or by recovery, leaves the others alone', async () => {
    const all = await created([...SCOPES]);
    const byOther = await rotateDefault(all.api_key, { grace_seconds: 0 });
    expect(byOther.status).toBe(200);
    await eventually(async () => expect(await balance(tenant.apiKey)).toBe(401), 1_000, 20);
    expect(await balance(all.api_key)).toBe(200);
    const token = `rec_${'a'.repeat(43)}`;
    await store.query(
      `insert into platform.recovery_token (token_hash, tenant_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
      [hashSecret(token), tenant.id],
    );
    await as(byOther.body.api_key)('PATCH', `/${(await as(all.api_key)<KeyPage>('GET', '?order=asc')).body.data[0]?.id}`, { allowed_cidrs: ['0.0.0.0/0'] }); // prettier-ignore
    const recovered = await platform.call<{ api_key: string }>(`/tenants/${tenant.id}/rotate-api-key`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${token}` } },
    });
    expect(recovered.status).toBe(200);
    await eventually(async () => expect(await balance(byOther.body.api_key)).toBe(401), 1_000, 20);
    expect(await balance(all.api_key)).toBe(200);
    const [now] = (await as(recovered.body.api_key)<KeyPage>('GET', '?order=asc')).body.data;
    expect(now).toMatchObject({ is_default: true, scopes: null, allowed_cidrs: null });
  });

  it('is repeated by the key in its grace, its own alone; nothing about keys is allowed to it otherwise', async () => {
    const key = await created(['billing:read', 'keys:write']);
    const other = await created(['billing:read']);
    const call = as(key.api_key);
    const ofOther = { 'idempotency-key': randomUUID() };
    expect((await call('POST', `/${other.id}/rotate`, {}, ofOther)).status).toBe(200);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await call<RotatedKeyView>('POST', `/${key.id}/rotate`, { grace_seconds: 60 }, headers);
    expect(first.status).toBe(200);
    await eventually(async () => expect((await call('POST', '', { name: 'x', scopes: ['billing:read'] })).status).toBe(403), 1_000, 20); // prettier-ignore
    const again = await call('POST', `/${key.id}/rotate`, { grace_seconds: 60 }, headers);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await call('POST', `/${other.id}/rotate`, {}, ofOther)).status).toBe(403);
    expect((await call('POST', `/${key.id}/rotate`, {})).status).toBe(403);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${key.id}`],
      ['DELETE', `/${other.id}`],
    ] as const)
      expect((await call(method, path)).status).toBe(403);
    expect(await balance(key.api_key)).toBe(200);
    expect((await owner('GET', `/${key.id}`)).body.previous_key_expires_at).toBe(first.body.previous_key_expires_at);
  });

  it('asked by a process of the former release replaces the default key alone', async () => {
    const other = await created(['billing:read']);
    const former = await Database.connect({ url: store.app('platform'), applicationName: 'former' });
    onTestFinished(() => former.close());
    const [resolved] = await former.query<{ key_id: string }>('select * from platform_v1.resolve_api_key($1)', [hashSecret(tenant.apiKey)]); // prettier-ignore
    const rows = await former.tenant(
      tenant.id,
      (tx) =>
      tx.query('select * from platform.rotate_api_key($1, $2, gen_random_uuid(), $3, $4, 0)', [tenant.id, resolved?.key_id, hashSecret('new'), 'test_abcd']), // prettier-ignore
    );
    expect(rows).toHaveLength(1);
    await eventually(async () => expect(await balance(tenant.apiKey)).toBe(401), 1_000, 20);
    expect(await balance(other.api_key)).toBe(200);
  });
});

describe('the networks of a key', () => {
  it('let it in from inside and no other address, and tell when and from where it was used and refused', async () => {
    const other = await runningPlatform(store);
    const key = await created(['billing:read'], { allowed_cidrs: ['192.0.2.0/24', '2001:db8::/32'] });
    const from = (address: string) => other.call('/v1/billing/balance', { key: key.api_key, headers: { 'x-forwarded-for': address } }); // prettier-ignore
    expect((await from('192.0.2.9')).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await from('203.0.113.5')).status).toBe(401);
    expect((await from('2001:db8::7')).status).toBe(200);
    expect((await owner('GET', `/${key.id}`)).body.last_used_at).toBeNull(); // not on the path of the request
    await other.close(); // the last of them are written when a process ends
    const { body } = await owner('GET', `/${key.id}`);
    expect(body).toMatchObject({
      last_used_ip: '2001:db8::7',
      network_rejections: { count: 3, last_ip: '203.0.113.5', last_at: expect.any(String) as string },
    });
    expect(Math.abs(Date.parse(body.last_used_at ?? '') - Date.now())).toBeLessThan(10_000);
  });
});

describe('changes of keys', () => {
  it('are in the audit log, with what changed, and without the keys', async () => {
    const key = await created(['billing:read']);
    await owner('PATCH', `/${key.id}`, { scopes: ['signing:read'], allowed_cidrs: ['192.0.2.0/24'] });
    await owner('POST', `/${key.id}/rotate`, { grace_seconds: 0 });
    await owner('DELETE', `/${key.id}`);
    const rotated = await rotateDefault(tenant.apiKey);
    const entries = await audited();
    expect(entries.map(({ action, object }) => [action, object.id === key.id])).toEqual([
      ['api_key.created', true],
      ['api_key.changed', true],
      ['api_key.rotated', true],
      ['api_key.deleted', true],
      ['api_key.rotated', false],
    ]);
    expect(entries[1]).toMatchObject({
      before: { scopes: ['billing:read'], allowed_cidrs: null },
      after: { scopes: ['signing:read'], allowed_cidrs: ['192.0.2.0/24'] },
    });
    const actors = new Set(entries.map(({ actor }) => actor.id));
    expect([...actors]).toEqual([await defaultIdWith(rotated.body.api_key)]); // one id, over rotations
    expect(JSON.stringify(entries)).not.toMatch(/test_[0-9A-Za-z]{49}/);
  });

  it('are mailed to the owner: creation, scopes, rotation and deletion; not a new name', async () => {
    const key = await created(['billing:read']);
    await owner('PATCH', `/${key.id}`, { name: 'Renamed' });
    await owner('PATCH', `/${key.id}`, { scopes: ['signing:read'] });
    await owner('POST', `/${key.id}/rotate`, {});
    await owner('DELETE', `/${key.id}`);
    const notices = await store.query<{ kind: string; detail: string }>(
      'select kind, detail from platform.owner_notice where tenant_id = $1 order by id',
      [tenant.id],
    );
    expect(notices.map(({ kind }) => kind)).toEqual(['key_created', 'key_changed', 'key_rotated', 'key_deleted']);
    expect(notices[1]?.detail).toBe(`${key.prefix} (Renamed)`);
  });

  it('and use of keys of another tenant are refused by the functions of the store', async () => {
    const stranger = await testTenant(store);
    const key = await created(['billing:read']);
    const role = await Database.connect({ url: store.app('platform'), applicationName: 'forger' });
    onTestFinished(() => role.close());
    const forged = role.tenant(stranger.id, (tx) => tx.query('select platform.delete_api_key($1, $2)', [tenant.id, uuidOf('key', key.id)])); // prettier-ignore
    await expect(forged).rejects.toThrow('does not belong to this tenant');
    expect(typeId('key', uuidOf('key', key.id) ?? '')).toBe(key.id);
    expect(await balance(key.api_key)).toBe(200);
  });
});

async function defaultIdWith(key: string): Promise<string | undefined> {
  return (await as(key)<KeyPage>('GET')).body.data.find(({ is_default }) => is_default)?.id;
}
