import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listenForOperators } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { ObjectStore } from '@constancia/storage';
import type { OpsServer } from '@constancia/telemetry';
import type { ExportedFile } from '@constancia/tenant-export';
import { checkedFetch, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { kmsVariables, testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { StatementSeal } from '../billing/statements/statement-seal.ts';
import { PlatformExport } from '../export/platform-export.ts';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import type { LedgerArchive } from './ledger-archive.entity.ts';
import { LedgerArchives } from './ledger-archives.ts';
import { tenantWithHistory, withoutTriggers } from './old-entries.fixture.ts';

const TOKEN = 'token-of-an-operator-with-enough-characters';

let store: TestDatabase;
let platform: RunningPlatform;
let folder: string;
let ops: OpsServer;
let tenant: TestTenant;
let archives: LedgerArchives;

beforeAll(async () => {
  store = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ledger-archive-'));
  platform = await runningPlatform(store, {
    ...(await kmsVariables()),
    STATEMENT_KEY_ID: (await testKms()).keyId,
    STORAGE_DIR: path.join(folder, 'objects'),
  });
  ops = await listenForOperators(platform.app, { token: TOKEN });
  archives = platform.app.get(LedgerArchives, { strict: false });
  await platform.app.get(StatementSeal, { strict: false }).archiveKey(); // issues its certificate, which takes seconds here
}, 120_000);
afterAll(async () => {
  await ops?.close();
  await platform?.close();
  await store?.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  tenant = await tenantWithHistory(store, 60);
});

type Archive = Record<'id' | 'sha256' | 'object_key' | 'head_after' | 'key_fingerprint' | 'last_at', string> &
  Record<'from' | 'through', number>;

async function ask<Body>(method: string, where: string, body?: object): Promise<{ status: number; body: Body }> {
  const origin = `http://127.0.0.1:${ops.port}`;
  const response = await checkedFetch({ ops: origin })(`${origin}/ops${where}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'x-operator': 'ana' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
const run = async (of: TestTenant = tenant) =>
  (
    await ask<{ archived: Archive | null }>('POST', '/archives/run', {
      tenant: of.slug,
      reason: 'older than ten years',
    })
  ).body.archived;
const filesOf = async (of: TestTenant = tenant) =>
  (await ask<{ data: Archive[] }>('GET', `/archives?tenant=${of.slug}`)).body.data;
const verdictOf = async ({ id }: { id: string }) =>
  (await ask<{ valid: boolean; fault: string | null }>('GET', `/archives/${id}/verify`)).body;
const ledgerVerified = async () => {
  expect(await store.query('select * from platform.verify_ledger($1)', [tenant.id])).toEqual([]);
  expect(
    await store.query('select drift from platform.ledger_drift(null, 1000, 200) where tenant_id = $1', [tenant.id]),
  ).toEqual([{ drift: 0 }]);
  return (await ask<Record<string, unknown>>('GET', `/ledger/verify?tenant=${tenant.slug}`)).body;
};
const storedEntries = async (of: TestTenant = tenant) =>
  (
    await store.query<{ entry: Record<string, unknown> }>(
      `select to_jsonb(e) as entry from platform.credit_entry e where tenant_id = $1 order by seq`,
      [of.id],
    )
  ).map(({ entry }) => entry);
const objectPath = (key: string) => path.join(folder, 'objects', key);

describe('old entries of the ledger', () => {
  it('go into a signed file that reads back equal, and out of the database; balances and totals verify across the boundary', async () => {
    const before = await storedEntries();
    const balance = await platform.call('/v1/billing/balance', { key: tenant.apiKey });
    const archived = (await run()) as Archive;
    expect(archived).toMatchObject({ from: 1, through: 60, archived_by: 'ana', slug: tenant.slug });
    expect(await run()).toBeNull();

    const left = await storedEntries();
    expect(left.map(({ seq, kind }) => `${seq} ${kind}`)).toEqual(['1 grant', '2 grant', '61 capture', '62 refund']);
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { body: { data: object[]; next_cursor: string | null } } = await ask(
        'GET',
        `/archives/${archived.id}/rows?limit=25${cursor && `&cursor=${cursor}`}`,
      );
      pages.push(...page.body.data);
      cursor = page.body.next_cursor;
    }
    expect(pages).toEqual(before.slice(0, 60));

    expect(await ledgerVerified()).toMatchObject({ entries: 2, archived_entries: 60, drift_credits: 0, faults: [] });
    expect(await verdictOf(archived)).toMatchObject({ valid: true, fault: null });
    expect(await platform.call('/v1/billing/balance', { key: tenant.apiKey })).toMatchObject({ body: balance.body });
    const [act] = (await ask<{ data: object[] }>('GET', '/audit?limit=1')).body.data;
    expect(act).toMatchObject({
      type: 'ledger.archived',
      data: { from: 1, through: 60, reason: 'older than ten years' },
    });
  });

  it('leave lists and exports that say where they are', async () => {
    const list = () => platform.call<Record<string, unknown>>('/v1/billing/ledger?limit=100', { key: tenant.apiKey });
    expect((await list()).body).toMatchObject({ archived_through_seq: null, archived_until: null });
    const archived = (await run()) as Archive;
    const { body } = await list();
    expect(body).toMatchObject({ archived_through_seq: 60, archived_until: archived.last_at });
    expect((body.data as { seq: number }[]).map(({ seq }) => seq)).toEqual([62, 61, 2, 1]);
    const { files } = platform.app.get(PlatformExport, { strict: false }).source(tenant.id);
    const named = files.find(({ name }) => name === 'platform/ledger-archives');
    const lines = await platform.app.get(Database).tenant(tenant.id, async (tx) => {
      const pages = [];
      for await (const rows of (named as ExportedFile).pages(tx)) pages.push(...rows);
      return pages.map(({ line }) => line);
    });
    const { object_key, sha256, key_fingerprint } = archived;
    expect(lines).toMatchObject([
      {
        from_seq: 1,
        through_seq: 60,
        object_key,
        sha256,
        key_fingerprint,
        signature: expect.stringMatching(/^[0-9a-f]{512}$/),
      },
    ]);
  });

  it('that cannot be told from new ones stay: those of the last 400 days whatever is asked, and the newest of an account', async () => {
    const sql = 'select seq from platform.next_ledger_archive($1, now(), 100)';
    expect(await store.query(sql, [tenant.id])).toHaveLength(60);
    const old = await tenantWithHistory(store, 62);
    expect((await store.query(sql, [old.id])).length).toBe(61);
    expect(await run(old)).toMatchObject({ through: 61 });
    expect(await storedEntries(old)).toHaveLength(3);
    expect(await store.query('select * from platform.verify_ledger($1)', [old.id])).toEqual([]);
  });

  it('are in files that follow each other, and openssl alone can check', async () => {
    const first = (await run()) as Archive;
    await withoutTriggers(
      store,
      `update platform.credit_entry set created_at = now() - interval '11 years' where tenant_id = $1 and seq = 61`,
      [tenant.id],
    );
    await store.query(
      `update platform.credit_daily_total t set day = (e.created_at at time zone 'America/Bogota')::date
         from platform.credit_entry e where e.tenant_id = $1 and e.seq = 61 and t.tenant_id = $1 and t.kind = e.kind
          and t.ref_type = e.ref_type and t.day > now() - interval '2 years' and t.entries = 1`,
      [tenant.id],
    );
    const second = (await run()) as Archive;
    expect(second).toMatchObject({ from: 61, through: 61 });
    expect(await filesOf()).toMatchObject([{ id: first.id }, { id: second.id }]);
    const [header] = fs.readFileSync(objectPath(second.object_key), 'utf8').split('\n');
    expect(JSON.parse(header as string)).toMatchObject({
      head_before: first.head_after,
      previous_sha256: first.sha256,
    });
    expect(await verdictOf(second)).toMatchObject({ valid: true });

    const keys = await platform.call<{ data: { fingerprint: string; public_key_pem: string }[] }>(
      '/v1/billing/statement-keys',
      { key: tenant.apiKey },
    );
    const key = keys.body.data.find(({ fingerprint }) => fingerprint === first.key_fingerprint);
    fs.writeFileSync(path.join(folder, 'key.pem'), key?.public_key_pem ?? '');
    const file = objectPath(first.object_key);
    const program = path.join(folder, 'check.mjs');
    fs.writeFileSync(program, guideProgram());
    const says = (checked: string) =>
      execFileSync(process.execPath, [program, checked], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    expect(says(file)).toContain(`valid, 60 rows, head ${first.head_after}`);
    const changed = path.join(folder, 'changed.ndjson');
    fs.writeFileSync(changed, fs.readFileSync(file, 'utf8').replace('"debit"', '"grant"'));
    expect(() => says(changed)).toThrow();
    const check = ['dgst', '-sha256', '-verify', path.join(folder, 'key.pem'), '-signature', `${file}.sig`, file];
    expect(execFileSync('openssl', check, { encoding: 'utf8' })).toContain('Verified OK');
  });

  it('are those of their file when a later release has added a column', async () => {
    const archived = (await run()) as Archive;
    await store.query('alter table platform.credit_entry add column later text');
    try {
      expect(await verdictOf(archived)).toMatchObject({ valid: true });
    } finally {
      await store.query('alter table platform.credit_entry drop column later');
    }
  });

  it('are deleted in no other way, and a file’s record is never changed', async () => {
    await run();
    for (const sql of [
      'delete from platform.credit_entry where tenant_id = $1 and seq = 62',
      'delete from platform.credit_entry where tenant_id = $1 and seq = 1',
      'update platform.credit_entry set amount = 1 where tenant_id = $1',
      'update platform.ledger_archive set balance_after = 1 where tenant_id = $1',
      'delete from platform.ledger_archive where tenant_id = $1',
    ])
      await expect(store.query(sql, [tenant.id]), sql).rejects.toThrow(/append-only|never changed/);
  });

  it('of other tenants are in other files, which nobody else’s rows name', async () => {
    const other = await tenantWithHistory(store, 60);
    const mine = (await run()) as Archive;
    expect(await storedEntries(other)).toHaveLength(62);
    expect(await filesOf(other)).toEqual([]);
    await run(other);
    const text = fs.readFileSync(objectPath(mine.object_key), 'utf8');
    expect(text).not.toContain(other.id);
    const theirs = await platform.call<{ archived_until: string }>('/v1/billing/ledger', { key: other.apiKey });
    expect(theirs.body.archived_until).not.toBe(mine.last_at);
  });

  it('are refused by the store when they are not what the file has, or the caller is another tenant', async () => {
    const stranger = await testTenant(store);
    const [row] = await store.query<{ head: string }>(
      'select head_before as head from platform.next_ledger_archive($1, now(), 10) limit 1',
      [tenant.id],
    );
    const record = { id: tenant.id, tenant_id: tenant.id, from_seq: 1, through_seq: 10, head_before: row?.head };
    const sql = 'select platform.record_ledger_archive($1, $2)';
    await expect(store.query(sql, [JSON.stringify(record), 'of other rows'])).rejects.toThrow(/not those of the file/);
    const asStranger = platform.app
      .get(Database)
      .tenant(stranger.id, (tx) => tx.query(sql, [JSON.stringify(record), 'x']));
    await expect(asStranger).rejects.toThrow(/does not belong to this tenant/);
    expect(await storedEntries()).toHaveLength(62);
  });
});

describe('a run that is cut off', () => {
  const objects = () =>
    platform.app.get(ObjectStore) as unknown as Record<'put' | 'get', (...args: unknown[]) => Promise<unknown>>;

  it('before, while or after the file is written leaves the entries, and the next one goes on from there', async () => {
    for (const [method, call] of [
      ['put', 1],
      ['put', 2],
      ['get', 1],
      ['get', 2],
    ] as const) {
      const real = objects()[method].bind(objects());
      let calls = 0;
      const spy = vi.spyOn(objects(), method).mockImplementation(async (...args: unknown[]) => {
        calls += 1;
        if (calls === call) throw new Error('cut off');
        return real(...args);
      });
      await expect(archives.archiveNext(tenant.id, 'ana', 'test')).rejects.toThrow('cut off');
      spy.mockRestore();
      expect(await storedEntries()).toHaveLength(62);
      expect(await filesOf()).toEqual([]);
    }
    await archives.archiveNext(tenant.id, 'ana', 'test');
    const [file, ...others] = await filesOf();
    expect(others).toEqual([]);
    expect(await verdictOf(file as Archive)).toMatchObject({ valid: true });
    // The same entries make the same file: nothing of the runs before is left beside it.
    expect(fs.readdirSync(path.dirname(objectPath(file?.object_key ?? ''))).sort()).toEqual(
      [path.basename(file?.object_key ?? ''), `${path.basename(file?.object_key ?? '')}.sig`].sort(),
    );
  });

  it('in the transaction that records it and deletes leaves both', async () => {
    await store.query(
      `create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$`,
    );
    for (const [table, event] of [
      ['ledger_archive', 'after insert'],
      ['credit_daily_total', 'before update'],
      ['credit_entry', 'after delete'],
      ['operator_act', 'after insert'],
    ]) {
      await store.query(
        `create trigger fails ${event} on platform.${table} for each row execute function public.fail()`,
      );
      await expect(archives.archiveNext(tenant.id, 'ana', 'test')).rejects.toThrow('cut off');
      await store.query(`drop trigger fails on platform.${table}`);
      expect(await storedEntries()).toHaveLength(62);
      expect(await filesOf()).toEqual([]);
    }
    await archives.archiveNext(tenant.id, 'ana', 'test');
    expect(await ledgerVerified()).toMatchObject({ faults: [], archived_entries: 60 });
  });

  it('beside another one does no harm: the entries are in one file, and debits go on', async () => {
    const debit = () =>
      store.query(`select platform_v1.charge($1, 'seal', 'signature', gen_random_uuid(), 40)`, [tenant.id]);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => archives.archiveNext(tenant.id, 'ana', 'test')),
      ...Array.from({ length: 10 }, debit),
    ]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const files = await filesOf();
    expect(files).toMatchObject([{ from: 1, through: 60 }]);
    expect(await verdictOf(files[0] as Archive)).toMatchObject({ valid: true });
    expect(await ledgerVerified()).toMatchObject({ faults: [], entries: 12, archived_entries: 60 });
  });
});

describe('a file that was changed', () => {
  it.each([
    ['a changed row', 'altered', (file: string) => edit(file, (text) => text.replace('"debit"', '"grant"'))],
    ['a row that is gone', 'altered', (file: string) => edit(file, (text) => text.replace(/\n.*"seq": 5,.*\n/, '\n'))],
    ['another signature', 'signature', (file: string) => fs.writeFileSync(`${file}.sig`, Buffer.alloc(256))],
    ['no file', 'missing', (file: string) => fs.rmSync(file)],
  ])('is found: %s', async (_, fault, change) => {
    const archived = (await run()) as Archive;
    change(objectPath(archived.object_key));
    expect(await verdictOf(archived)).toMatchObject({ valid: false, fault });
    const read = await ask<{ error: string }>('GET', `/archives/${archived.id}/rows`);
    expect([read.status, read.body.error]).toEqual([409, expect.stringContaining(fault)]);
  });

  it('is found when its record was changed to match, by the chain, the balance or the entry that stayed', async () => {
    const archived = (await run()) as Archive;
    const forged = async (sql: string) => {
      await store.query('alter table platform.ledger_archive disable trigger keep');
      await store.query(`update platform.ledger_archive set ${sql} where id = $1`, [archived.id]);
      await store.query('alter table platform.ledger_archive enable trigger keep');
    };
    const { balance_after } = (await archives.find(archived.id)) as LedgerArchive;
    await forged('balance_after = balance_after + 1');
    expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'balance' });
    expect(await store.query('select * from platform.verify_ledger($1)', [tenant.id])).toHaveLength(1);
    await forged(`balance_after = ${balance_after}, head_after = repeat('1', 64)`);
    expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'chain' });
    await forged(`head_after = '${archived.head_after}'`);
    await withoutTriggers(
      store,
      'update platform.credit_entry set amount = amount + 1 where tenant_id = $1 and seq = 2',
      [tenant.id],
    );
    expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'kept_entry' });
  });
});

/** The program of docs/guides/back-up-and-restore.md. */
function guideProgram(): string {
  const guide = fs.readFileSync('docs/guides/back-up-and-restore.md', 'utf8');
  return /## Archived files[\s\S]*?```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
}

function edit(file: string, change: (text: string) => string): void {
  const text = fs.readFileSync(file, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  fs.writeFileSync(file, changed);
}
