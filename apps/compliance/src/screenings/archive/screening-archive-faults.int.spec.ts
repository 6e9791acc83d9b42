import fs from 'node:fs';
import path from 'node:path';
import { Database } from '@constancia/persistence';
import { ObjectStore, StorageUnavailable } from '@constancia/storage';
import type { TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ArchiveBench, type ArchivedFileView } from './archived-screenings.fixture.ts';
import { ScreeningArchives } from './screening-archives.ts';

let bench: ArchiveBench;
let tenant: TestTenant;
let ids: string[];
let archives: ScreeningArchives;

beforeAll(async () => {
  bench = await ArchiveBench.start();
  archives = bench.compliance.app.get(ScreeningArchives, { strict: false });
}, 120_000);
afterAll(async () => bench?.close());
beforeEach(async () => {
  tenant = await bench.tenant();
  ids = await bench.screenings(tenant, 4);
  await bench.age(tenant);
});

const filesOf = async () =>
  (await bench.ops.get<{ data: ArchivedFileView[] }>(`/archives?tenant=${tenant.slug}`)).body.data;
const objects = () =>
  bench.compliance.app.get(ObjectStore) as unknown as Record<'put' | 'get', (...args: unknown[]) => Promise<unknown>>;
const next = () => archives.archiveNext(tenant.id, 'ana', 'test');

/** Nothing was moved. */
async function unchanged(): Promise<void> {
  expect(await bench.stored(tenant)).toEqual(ids);
  expect(await filesOf()).toEqual([]);
  expect(
    await bench.store.query('select id from compliance.archived_screening where tenant_id = $1', [tenant.id]),
  ).toEqual([]);
}

describe('a run that is cut off', () => {
  it('before, while or after the file is written leaves the screenings, and the next one goes on from there', async () => {
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
      await expect(next()).rejects.toThrow('cut off');
      spy.mockRestore();
      await unchanged();
    }
    await next();
    const [file, ...others] = await filesOf();
    expect(others).toEqual([]);
    expect(await bench.verdict(file as ArchivedFileView)).toMatchObject({ valid: true });
    // The same rows make the same file: nothing of the runs before is left beside it.
    const name = path.basename(file?.object_key ?? '');
    expect(fs.readdirSync(path.dirname(bench.pathOf(file as ArchivedFileView))).sort()).toEqual([name, `${name}.sig`]);
  });

  it('in the transaction that records it and deletes leaves both', async () => {
    await bench.store.query(
      `create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$`,
    );
    for (const [table, event] of [
      ['compliance.screening_archive', 'after insert'],
      ['compliance.archived_screening', 'after insert'],
      ['compliance.screening', 'after delete'],
      ['platform.operator_act', 'after insert'],
    ]) {
      await bench.store.query(`create trigger fails ${event} on ${table} for each row execute function public.fail()`);
      await expect(next()).rejects.toThrow('cut off');
      await bench.store.query(`drop trigger fails on ${table}`);
      await unchanged();
    }
    await next();
    expect(await bench.stored(tenant)).toEqual(ids.slice(3));
  });

  it('beside others does no harm: the screenings are in one file, and new ones are made meanwhile', async () => {
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 4 }, next),
      ...Array.from({ length: 6 }, (_, nth) => bench.screen(tenant, `customer-${nth + 2}`)),
    ]);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const files = await filesOf();
    expect(files).toMatchObject([{ from: 1, through: 3 }]);
    expect(await bench.verdict(files[0] as ArchivedFileView)).toMatchObject({ valid: true });
    expect(await bench.stored(tenant)).toHaveLength(7);
  });
});

it('a run of all tenants takes one after another, and ends', async () => {
  const other = await bench.tenant();
  await bench.screenings(other, 3);
  await bench.age(other);
  const files: string[] = [];
  for (
    let file = await archives.archiveNext(null, 'ana', 'test');
    file;
    file = await archives.archiveNext(null, 'ana', 'test')
  )
    files.push(`${file.tenant_id} ${file.from_seq}-${file.through_seq}`);
  expect(files).toEqual(expect.arrayContaining([`${tenant.id} 1-3`, `${other.id} 1-2`]));
  expect(files).toEqual(files.toSorted());
  expect(await archives.archiveNext(null, 'ana', 'test')).toBeNull();
});

describe('the database', () => {
  it('takes no file of other rows, of another tenant, or that leaves out what is live', async () => {
    const [row] = await bench.store.query<{ head: string }>(
      'select head_before as head from compliance.next_screening_archive($1, now(), 10) limit 1',
      [tenant.id],
    );
    const rows = await bench.store.query<{ id: string }>(
      'select id from compliance.screening where tenant_id = $1 order by id',
      [tenant.id],
    );
    const record = {
      id: tenant.id,
      tenant_id: tenant.id,
      from_seq: 1,
      through_seq: 3,
      head_before: row?.head,
      ids: rows.slice(0, 3).map(({ id }) => id),
    };
    const sql = 'select compliance.record_screening_archive($1, $2) as recorded';
    const database = bench.compliance.app.get(Database);
    const recorded = (of: string, changed: object = {}) =>
      database.tenant(of, (tx) => tx.query(sql, [JSON.stringify({ ...record, ...changed }), 'of other rows']));
    expect(await recorded(tenant.id)).toEqual([{ recorded: false }]);
    const withLive = rows.slice(1).map(({ id }) => id);
    expect(await recorded(tenant.id, { ids: withLive })).toEqual([{ recorded: false }]);
    await expect(recorded(tenant.id, { through_seq: 4 })).rejects.toThrow(/another number of rows/);
    const stranger = await bench.tenant();
    await expect(recorded(stranger.id)).rejects.toThrow(/another tenant/);
    await unchanged();
  });

  it('never changes the record of a file, and gives processes no other way to delete a screening', async () => {
    await next();
    for (const sql of [
      `update compliance.screening_archive set last_at = now() where tenant_id = $1`,
      'delete from compliance.screening_archive where tenant_id = $1',
    ])
      await expect(bench.store.query(sql, [tenant.id]), sql).rejects.toThrow(/never changed|append-only/);
    const database = bench.compliance.app.get(Database);
    for (const table of ['screening', 'archived_screening'])
      await expect(
        database.tenant(tenant.id, (tx) => tx.query(`delete from compliance.${table}`)),
        table,
      ).rejects.toThrow(/permission denied/);
  });
});

describe('a file that was changed', () => {
  it.each([
    ['a changed row', 'altered', (file: string) => edit(file, (text) => text.replace('"approve"', '"reject"'))],
    ['a row that is gone', 'altered', (file: string) => edit(file, (text) => text.replace(/\n\{"id".*\n/, '\n'))],
    ['another signature', 'signature', (file: string) => fs.writeFileSync(`${file}.sig`, Buffer.alloc(256))],
    ['no file', 'missing', (file: string) => fs.rmSync(file)],
  ])('is found, and nothing of it is shown: %s', async (_, fault, change) => {
    await next();
    const [file] = (await filesOf()) as [ArchivedFileView];
    change(bench.pathOf(file));
    expect(await bench.verdict(file)).toMatchObject({ valid: false, fault });
    const read = await bench.ops.get<{ error: string }>(`/archives/${file.id}/rows`);
    expect([read.status, read.body.error]).toEqual([409, expect.stringContaining(fault)]);
    for (const route of [`/v1/screenings/${ids[0]}`, `/v1/screenings/${ids[0]}/replay`])
      expect(await bench.get(tenant, route)).toMatchObject({
        status: 503,
        body: { detail: expect.stringContaining('not what was signed') },
      });
    expect((await bench.get(tenant, '/v1/screenings')).status).toBe(200);
  });

  it('is found when its rows are looked up under other numbers', async () => {
    await next();
    const [file] = (await filesOf()) as [ArchivedFileView];
    await bench.store.query('update compliance.archived_screening set seq = seq + 1 where tenant_id = $1', [tenant.id]);
    expect(await bench.verdict(file)).toMatchObject({ valid: false, fault: 'index' });
  });

  it('is asked for again while the store is away', async () => {
    await next();
    const spy = vi.spyOn(objects(), 'get').mockRejectedValue(new StorageUnavailable('unplugged'));
    const answer = await bench.get(tenant, `/v1/screenings/${ids[0]}`);
    spy.mockRestore();
    expect(answer).toMatchObject({ status: 503, body: { detail: expect.stringContaining('try again') } });
    expect((await bench.get(tenant, `/v1/screenings/${ids[0]}`)).status).toBe(200);
  });
});

function edit(file: string, change: (text: string) => string): void {
  const text = fs.readFileSync(file, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  fs.writeFileSync(file, changed);
}
