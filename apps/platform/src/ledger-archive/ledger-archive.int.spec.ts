import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Database } from '@constancia/persistence';
import { ObjectStore } from '@constancia/storage';
import type { ExportedFile } from '@constancia/tenant-export';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { kmsVariables, testKms } from '@constancia/testing/test-kms';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StatementSeal } from '../billing/statements/statement-seal.ts';
import { PlatformExport } from '../export/platform-export.ts';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import type { LedgerArchive } from './ledger-archive.entity.ts';
import { LedgerArchives } from './ledger-archives.ts';
import {
  archiveFaults,
  type FileView,
  forged,
  OperatorsView,
} from '../../../../libs/archives/src/archive-faults.fixture.ts';
import { tenantWithHistory, withoutTriggers } from './old-entries.fixture.ts';

let store: TestDatabase;
let platform: RunningPlatform;
let folder: string;
let ops: OpsPort;
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
  ops = await opsPortOf(platform.app);
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

const running = () => ({ store, ops, archives, objects: platform.app.get(ObjectStore), folder: objectsFolder() });
const objectsFolder = () => path.join(folder, 'objects');
const run = async (of: TestTenant = tenant) =>
  (
    await ops.post<{ archived: FileView | null }>('/archives/ledger/run', {
      tenant: of.slug,
      reason: 'older than ten years',
    })
  ).body.archived;
const filesOf = (of: TestTenant = tenant) => new OperatorsView(running()).files(of);
const verdictOf = (file: { id: string }) => new OperatorsView(running()).verdict(file);
const ledgerVerified = async () => {
  expect(await store.query('select * from platform.verify_ledger($1)', [tenant.id])).toEqual([]);
  expect(
    await store.query('select drift from platform.ledger_drift(null, 1000, 200) where tenant_id = $1', [tenant.id]),
  ).toEqual([{ drift: 0 }]);
  return (await ops.get(`/ledger/verify?tenant=${tenant.slug}`)).body;
};
const storedEntries = async (of: TestTenant = tenant) =>
  (
    await store.query<{ entry: Record<string, unknown> }>(
      `select to_jsonb(e) as entry from platform.credit_entry e where tenant_id = $1 order by seq`,
      [of.id],
    )
  ).map(({ entry }) => entry);
const objectPath = (key: string) => path.join(objectsFolder(), key);

/** Makes an entry 11 years old. */
async function ageEntry(seq: number): Promise<void> {
  await withoutTriggers(
    store,
    `update platform.credit_entry set created_at = now() - interval '11 years' where tenant_id = $1 and seq = $2`,
    [tenant.id, seq],
  );
  await store.query(
    `update platform.credit_daily_total t set day = (e.created_at at time zone 'America/Bogota')::date
       from platform.credit_entry e where e.tenant_id = $1 and e.seq = $2 and t.tenant_id = $1 and t.kind = e.kind
        and t.ref_type = e.ref_type and t.day > now() - interval '2 years' and t.entries = 1`,
    [tenant.id, seq],
  );
}

describe('old entries of the ledger', () => {
  it('go into a signed file that reads back equal, and out of the database; balances and totals verify across the boundary', async () => {
    const before = await storedEntries();
    const balance = await platform.call('/v1/billing/balance', { key: tenant.apiKey });
    const archived = (await run()) as FileView;
    expect(archived).toMatchObject({ from: 1, through: 60, archived_by: 'noche', slug: tenant.slug });
    expect(await run()).toBeNull();

    const left = await storedEntries();
    expect(left.map(({ seq, kind }) => `${seq} ${kind}`)).toEqual(['1 grant', '2 grant', '61 capture', '62 refund']);
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { body: { data: object[]; next_cursor: string | null } } = await ops.get(
        `/archives/ledger/${archived.id}/rows?limit=25${cursor && `&cursor=${cursor}`}`,
      );
      pages.push(...page.body.data);
      cursor = page.body.next_cursor;
    }
    expect(pages).toEqual(before.slice(0, 60));

    expect(await ledgerVerified()).toMatchObject({ entries: 2, archived_entries: 60, drift_credits: 0, faults: [] });
    expect(await verdictOf(archived)).toMatchObject({ valid: true, fault: null });
    expect(await platform.call('/v1/billing/balance', { key: tenant.apiKey })).toMatchObject({ body: balance.body });
    const [act] = (await ops.get<{ data: object[] }>('/audit?limit=1')).body.data;
    expect(act).toMatchObject({
      type: 'ledger.archived',
      data: { from: 1, through: 60, reason: 'older than ten years' },
    });
  });

  it('leave lists and exports that say where they are', async () => {
    const list = () => platform.call<Record<string, unknown>>('/v1/billing/ledger?limit=100', { key: tenant.apiKey });
    expect((await list()).body).toMatchObject({ archived_through_seq: null, archived_until: null });
    const archived = (await run()) as FileView;
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
    const first = (await run()) as FileView;
    await ageEntry(61);
    const second = (await run()) as FileView;
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
    const archived = (await run()) as FileView;
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
    const mine = (await run()) as FileView;
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
    for (const digest of ['of other rows', null])
      await expect(store.query(sql, [JSON.stringify(record), digest])).rejects.toThrow(/not those of the file/);
    const asStranger = platform.app
      .get(Database)
      .tenant(stranger.id, (tx) => tx.query(sql, [JSON.stringify(record), 'x']));
    await expect(asStranger).rejects.toThrow(/does not belong to this tenant/);
    expect(await storedEntries()).toHaveLength(62);
  });
});

archiveFaults(
  () => ({
    ...running(),
    tenant,
    state: () => storedEntries(),
    answers: () => Promise.resolve([]),
    moreRows: () => ageEntry(61),
  }),
  {
    table: 'platform.ledger_archive',
    steps: [
      ['platform.ledger_archive', 'after insert'],
      ['platform.credit_daily_total', 'before update'],
      ['platform.credit_entry', 'after delete'],
    ],
    changed: ['"debit"', '"grant"'],
    removed: /\n.*"seq": 5,.*\n/,
    isSame: true,
  },
);

it('runs at the same time do no harm: the entries are in one file, and debits go on', async () => {
  const debit = () =>
    store.query(`select platform_v1.charge($1, 'seal', 'signature', gen_random_uuid(), 40)`, [tenant.id]);
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => archives.archiveNext(tenant.id, 'ana', 'test')),
    ...Array.from({ length: 10 }, debit),
  ]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  const files = await filesOf();
  expect(files).toMatchObject([{ from: 1, through: 60 }]);
  expect(await verdictOf(files[0] as FileView)).toMatchObject({ valid: true });
  expect(await ledgerVerified()).toMatchObject({ faults: [], entries: 12, archived_entries: 60 });
});

it('a file is found to be changed when its record was changed to match, by the chain, the balance or the entry that stayed', async () => {
  const archived = (await run()) as FileView;
  const forge = (sql: string) => forged(store, 'platform.ledger_archive', `${sql} where id = '${archived.id}'`);
  const { balance_after } = (await archives.find(archived.id)) as LedgerArchive;
  await forge('balance_after = balance_after + 1');
  expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'balance' });
  expect(await store.query('select * from platform.verify_ledger($1)', [tenant.id])).toHaveLength(1);
  await forge(`balance_after = ${balance_after}, head_after = repeat('1', 64)`);
  expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'chain' });
  await forge(`head_after = '${archived.head_after}'`);
  await withoutTriggers(
    store,
    'update platform.credit_entry set amount = amount + 1 where tenant_id = $1 and seq = 2',
    [tenant.id],
  );
  expect(await verdictOf(archived)).toMatchObject({ valid: false, fault: 'kept_entry' });
});

/** The program of docs/guides/back-up-and-restore.md. */
function guideProgram(): string {
  const guide = fs.readFileSync('docs/guides/back-up-and-restore.md', 'utf8');
  return /## Archived files[\s\S]*?```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
}
