import { Database } from '@constancia/persistence';
import { ObjectStore } from '@constancia/storage';
import type { TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ArchiveCase,
  archiveFaults,
  type FileView,
  OperatorsView,
} from '../../../../../libs/archives/src/archive-faults.fixture.ts';
import { ArchiveBench } from './archived-screenings.fixture.ts';
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

const running = (): ArchiveCase => ({
  store: bench.store,
  ops: bench.ops,
  archives,
  objects: bench.compliance.app.get(ObjectStore),
  folder: bench.folder,
  tenant,
  state: async () => [
    await bench.stored(tenant),
    await bench.store.query('select id from compliance.archived_screening where tenant_id = $1', [tenant.id]),
  ],
  answers: () => Promise.all(['', '/replay'].map((part) => bench.get(tenant, `/v1/screenings/${ids[0]}${part}`))),
  moreRows: async () => {
    await bench.screenings(tenant, 2);
    await bench.age(tenant);
  },
});
const filesOf = () => new OperatorsView(running()).files(tenant);
const next = () => archives.archiveNext(tenant.id, 'ana', 'test');

archiveFaults(running, {
  table: 'compliance.screening_archive',
  steps: [
    ['compliance.screening_archive', 'after insert'],
    ['compliance.archived_screening', 'after insert'],
    ['compliance.screening', 'after delete'],
  ],
  changed: ['"approve"', '"reject"'],
  removed: /\n\{"id".*\n/,
  isSame: true,
});

it('runs at the same time do no harm: the screenings are in one file, and new ones are made meanwhile', async () => {
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 4 }, next),
    ...Array.from({ length: 6 }, (_, nth) => bench.screen(tenant, `customer-${nth + 2}`)),
  ]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  const files = await filesOf();
  expect(files).toMatchObject([{ from: 1, through: 3 }]);
  expect(await bench.verdict(files[0] as FileView)).toMatchObject({ valid: true });
  expect(await bench.stored(tenant)).toHaveLength(7);
});

it('a run that is refused leaves its file to another one that wrote the same', async () => {
  const { objects } = running();
  const block = (receipt: string | null) =>
    bench.store.query('update compliance.screening set erasure_id = $2 where tenant_id = $1', [tenant.id, receipt]);
  const [get, put] = [objects.get.bind(objects), objects.put.bind(objects)];
  let [reads, goOn] = [0, () => {}];
  const going = new Promise<void>((resolve) => (goOn = resolve));
  const reading = vi.spyOn(objects, 'get').mockImplementation(async (...args) => {
    const bytes = await get(...args);
    if (++reads === 2) await going;
    return bytes;
  });
  const slow = next();
  await expect.poll(() => reads).toBe(2);
  const writing = vi.spyOn(objects, 'put').mockImplementationOnce(async (...args) => {
    await put(...args);
    await block(tenant.id); // as an erasure does
  });
  expect(await next()).toBeNull();
  await block(null);
  goOn();
  const file = await slow;
  reading.mockRestore();
  writing.mockRestore();
  expect(file).toMatchObject({ from_seq: 1, through_seq: 3 });
  expect(await bench.verdict({ id: file?.id ?? '' })).toEqual(expect.objectContaining({ valid: true }));
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
    const recorded = (of: string, changed: object = {}, digest: string | null = 'of other rows') =>
      database.tenant(of, (tx) => tx.query(sql, [JSON.stringify({ ...record, ...changed }), digest]));
    expect(await recorded(tenant.id)).toEqual([{ recorded: false }]);
    expect(await recorded(tenant.id, {}, null)).toEqual([{ recorded: false }]);
    const withLive = rows.slice(1).map(({ id }) => id);
    expect(await recorded(tenant.id, { ids: withLive })).toEqual([{ recorded: false }]);
    await expect(recorded(tenant.id, { through_seq: 4 })).rejects.toThrow(/another number of rows/);
    const stranger = await bench.tenant();
    await expect(recorded(stranger.id)).rejects.toThrow(/another tenant/);
    expect(await running().state()).toEqual([ids, []]);
    expect(await filesOf()).toEqual([]);
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

it('a file is found to be changed when its rows are looked up under other numbers', async () => {
  await next();
  const [file] = await filesOf();
  await bench.store.query('update compliance.archived_screening set seq = seq + 1 where tenant_id = $1', [tenant.id]);
  expect(await bench.verdict(file as FileView)).toMatchObject({ valid: false, fault: 'index' });
});
