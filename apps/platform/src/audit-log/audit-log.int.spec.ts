import { AuditLog } from '@constancia/auth';
import { canonicalJson, typeId, uuidv7 } from '@constancia/kernel';
import { Database, sqlState, verifyChain, type ChainedEvent } from '@constancia/persistence';
import { testDatabase, type TestDatabase, type TestTenant, testTenant } from '@constancia/testing';
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import type { AuditEntryView, AuditPage } from './audit-entry-view.ts';

const URL = 'https://hooks.example.com/in';

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

const ORIGIN = '203.0.113.7';
const call = <Body = Record<string, string>>(method: string, path: string, body?: unknown) =>
  platform.call<Body>(path, { method, body, key: tenant.apiKey, headers: { 'x-forwarded-for': ORIGIN } });
const log = async (query = ''): Promise<AuditEntryView[]> =>
  (await call<AuditPage>('GET', `/v1/audit-log${query}`)).body.data;
const exported = (accept: string, query = '') =>
  platform.call(`/v1/audit-log${query}`, { key: tenant.apiKey, headers: { accept } });

async function connected(schema: string): Promise<Database> {
  const database = await Database.connect({ url: store.app(schema), applicationName: 'audit-test', poolSize: 8 });
  onTestFinished(() => database.close());
  return database;
}
const entry = (of = tenant.id, name = 'a test') => ({
  principal: { tenantId: of, system: name },
  action: 'webhook_secret.rotated' as const,
  object: { kind: 'webhook_secret', id: null },
  origin: null,
});

describe('the audit log', () => {
  it('records changes of endpoints, secrets and settings: who, from where, what was before and after', async () => {
    const { body: endpoint } = await call('POST', '/v1/webhook-endpoints', {
      url: `${URL}?token=not-shown`,
      modules: ['seal'],
    });
    const path = `/v1/webhook-endpoints/${endpoint.id}`;
    await call('PATCH', path, { enabled: false, description: 'not shown either' });
    await call('POST', `${path}/rotate-secret`, { grace_seconds: 0 });
    await call('DELETE', path);
    await call('PUT', `/tenants/${tenant.id}/webhook-endpoints/identity`, { url: URL });
    await call('PUT', `/tenants/${tenant.id}/webhook-endpoints/identity`, { url: `${URL}/2` });
    await call('DELETE', `/tenants/${tenant.id}/webhook-endpoints/identity`);
    await call('POST', `/tenants/${tenant.id}/rotate-webhook-secret`, {});
    await call('PUT', '/v1/identity-settings', { legal_hold_days: 30 });
    const entries = await log('?order=asc');
    expect(entries.map(({ action, module }) => [action, module])).toEqual([
      ['webhook_endpoint.created', 'platform'],
      ['webhook_endpoint.changed', 'platform'],
      ['webhook_endpoint.secret_rotated', 'platform'],
      ['webhook_endpoint.deleted', 'platform'],
      ['webhook_endpoint.created', 'platform'],
      ['webhook_endpoint.changed', 'platform'],
      ['webhook_endpoint.deleted', 'platform'],
      ['webhook_secret.rotated', 'platform'],
      ['identity_settings.changed', 'identity'],
    ]);
    const [created, changed] = entries;
    expect(created).toMatchObject({
      seq: 1,
      actor: { kind: 'key', id: expect.stringMatching(/^key_/) as string, name: 'default' },
      object: { kind: 'webhook_endpoint', id: endpoint.id },
      origin: ORIGIN,
      before: null,
      after: { url: URL, modules: ['seal'], enabled: true },
    });
    expect(changed).toMatchObject({ before: { enabled: true }, after: { enabled: false } });
    expect(entries[5]).toMatchObject({ before: { url: URL }, after: { url: `${URL}/2` } });
    expect(entries.at(-1)).toMatchObject({ before: { legal_hold_days: 0 }, after: { legal_hold_days: 30 } });
    expect(JSON.stringify(entries)).not.toContain('not');
  });

  it('records nothing of a change that was refused or rolled back', async () => {
    await call('PUT', '/v1/identity-settings', { legal_hold_days: -1 });
    await call('DELETE', `/v1/webhook-endpoints/${typeId('whe')}`);
    const database = await connected('platform');
    const failed = database.tenant(tenant.id, async (tx) => {
      await AuditLog.record(tx, entry());
      throw new Error('the change fails');
    });
    await expect(failed).rejects.toThrow('the change fails');
    expect(await log()).toEqual([]);
  });

  it('is filtered by actor, action, object and time, and read in pages from either end', async () => {
    const { body: endpoint } = await call('POST', '/v1/webhook-endpoints', { url: URL, modules: ['seal'] });
    for (let days = 1; days <= 4; days++) await call('PUT', '/v1/identity-settings', { legal_hold_days: days });
    const actions = async (query: string) => (await log(query)).map(({ action }) => action);
    expect(await actions('?action=webhook_endpoint.created')).toEqual(['webhook_endpoint.created']);
    expect(await actions(`?object=${endpoint.id}`)).toEqual(['webhook_endpoint.created']);
    const [newest] = await log();
    expect(await log(`?actor=${newest?.actor.id}`)).toHaveLength(5);
    expect(await log(`?actor=${typeId('key')}`)).toEqual([]);
    const third = (await log('?order=asc'))[2] as AuditEntryView;
    const since = (await log(`?from=${third.at}&order=asc`)).map(({ seq }) => seq);
    expect(since.at(-1)).toBe(5);
    expect(since).toContain(3);
    expect(await log(`?to=${third.at}`)).not.toContainEqual(third);
    expect(await log('?from=2999-01-01')).toEqual([]);
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/v1/audit-log?limit=2${cursor && `&cursor=${cursor}`}`;
      const read: AuditPage = (await call<AuditPage>('GET', path)).body;
      seen.push(...read.data.map(({ seq }) => seq));
      cursor = read.next_cursor;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  it('shows the entries of the tenant alone', async () => {
    await call('PUT', '/v1/identity-settings', { legal_hold_days: 1 });
    const other = await testTenant(store);
    const { body } = await platform.call<AuditPage>('/v1/audit-log', { key: other.apiKey });
    expect(body.data).toEqual([]);
  });
});

describe('the export of the audit log', () => {
  it('is a chain that anybody can verify from the lines alone, and that shows every alteration', async () => {
    for (let days = 1; days <= 3; days++) await call('PUT', '/v1/identity-settings', { legal_hold_days: days });
    const { text, headers } = await exported('application/x-ndjson', '?limit=1');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-.*\.ndjson"$/);
    const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line) as ChainedEvent & { data: object }); // prettier-ignore
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    // With nothing but SHA-256 and canonical JSON, as the description says.
    let before = '0'.repeat(64);
    for (const { hash, ...hashed } of lines) {
      expect(hashed.prev_hash).toBe(before);
      expect(createHash('sha256').update(before).update(canonicalJson(hashed)).digest('hex')).toBe(hash);
      before = hash;
    }
    expect(verifyChain(lines)).toMatchObject({ valid: true, head: { seq: 3 } });
    const altered = lines.map((line) => (line.seq === 2 ? { ...line, data: {} } : line));
    expect(verifyChain(altered)).toEqual({ valid: false, seq: 2, fault: 'altered' });
    expect(verifyChain(lines.filter(({ seq }) => seq !== 2))).toMatchObject({ valid: false, seq: 2 });
  });

  it('is a CSV with the same entries, in which no cell is a formula, more than one page of them', async () => {
    const database = await connected('platform');
    await database.tenant(tenant.id, async (tx) => {
      for (let i = 0; i < 1_050; i++) await AuditLog.record(tx, entry(tenant.id, i === 7 ? '=1+1, "x"' : 'bulk'));
    });
    const { text, headers } = await exported('text/csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = parse(text, { columns: true }) as Record<string, string>[];
    expect(rows.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 1_050 }, (_, i) => i + 1));
    expect(rows[7]?.actor_name).toBe(`'=1+1, "x"`);
    const [newest] = await log('?limit=1');
    expect(rows.at(-1)?.hash).toBe(newest?.hash);
    expect((await exported('application/x-ndjson')).text.trimEnd().split('\n')).toHaveLength(1_050);
  });
});

describe('the store of the audit log', () => {
  it('takes the module from the role that calls, and refuses another tenant than that of the transaction', async () => {
    for (const [schema, module] of [
      ['signing', 'seal'],
      ['compliance', 'compliance'],
    ] as const) {
      // prettier-ignore
      const database = await connected(schema);
      await database.tenant(tenant.id, (tx) => AuditLog.record(tx, entry()));
      expect((await log())[0]).toMatchObject({ module, actor: { kind: 'system', id: null, name: 'a test' } });
      const other = await testTenant(store);
      const forged = database.tenant(tenant.id, (tx) => AuditLog.record(tx, entry(other.id)));
      expect(await forged.catch(sqlState)).toBe('CN403');
      const module_named = database.tenant(tenant.id, (tx) =>
        tx.query('select platform_v1.record_audit($1, $2, $3)', [tenant.id, 'x.y', JSON.stringify({ module: 'platform', actor_kind: 'system', actor_name: 'x', object_kind: 'x', data: '{}' })]),
      ); // prettier-ignore
      await module_named;
      expect((await log())[0]).toMatchObject({ module, action: 'x.y' });
    }
  });

  it('is append-only for every role of a process, and unreadable for other modules', async () => {
    const database = await connected('platform');
    await database.tenant(tenant.id, (tx) => AuditLog.record(tx, entry()));
    const refused = (owner: Database, sql: string) =>
      owner.tenant(tenant.id, (tx) => tx.query(sql)).catch((error: unknown) => sqlState(error));
    const insert = `select platform.append_audit_entry('${tenant.id}', '${tenant.id}', '{}')`;
    for (const sql of [`update platform.audit_entry set origin = null`, 'delete from platform.audit_entry', insert])
      expect(await refused(database, sql)).toBe('42501');
    expect(await refused(await connected('compliance'), 'select 1 from platform.audit_entry')).toBe('42501');
    await expect(store.query('delete from platform.audit_entry where tenant_id = $1', [tenant.id])).rejects.toThrow(
      'rows of platform.audit_entry are never changed',
    );
  });

  it('keeps one chain without a gap and without a deadlock while many record, and debits of the tenant do not wait for it', async () => {
    const platformDatabase = await connected('platform');
    const signing = await connected('signing');
    const deadlocks = async () =>
      (await store.query<{ deadlocks: number }>('select deadlocks::int from pg_stat_database where datname = current_database()'))[0]?.deadlocks; // prettier-ignore
    const before = await deadlocks();
    const debit = (database: Database, record: boolean) =>
      database.tenant(tenant.id, async (tx) => {
        await tx.query("select platform_v1.charge($1, 'seal', 'signature', $2, 1)", [tenant.id, uuidv7()]);
        if (record) await AuditLog.record(tx, entry());
      });
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => [
        platformDatabase.tenant(tenant.id, (tx) => AuditLog.record(tx, entry())),
        debit(signing, i % 2 === 0),
      ]).flat(),
    );
    // An entry that is not committed yet holds up other entries, not debits.
    await platformDatabase.tenant(tenant.id, async (tx) => {
      await AuditLog.record(tx, entry());
      const start = performance.now();
      await debit(signing, false);
      expect(performance.now() - start).toBeLessThan(2_000);
    });
    expect(await deadlocks()).toBe(before);
    const { text } = await exported('application/x-ndjson');
    const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line) as ChainedEvent); // prettier-ignore
    expect(verifyChain(lines)).toMatchObject({ valid: true, head: { seq: 91 } });
  });
});
