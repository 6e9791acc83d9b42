import fs from 'node:fs';
import path from 'node:path';
import type { ObjectStore } from '@constancia/storage';
import { StorageUnavailable } from '@constancia/storage';
import type { TestDatabase } from '@constancia/testing';
import type { OpsPort } from '@constancia/testing/ops-port';
import { describe, expect, it, vi } from 'vitest';
import type { ArchivedFile } from './archived-file.ts';
import type { HistoryArchive } from './history-archive.ts';

export interface FileView {
  id: string;
  from: number;
  through: number;
  first_at: string;
  last_at: string;
  sha256: string;
  object_key: string;
  head_after: string;
  key_fingerprint: string;
}

/** The archive of a history in a running app. */
export interface RunningArchive {
  store: Pick<TestDatabase, 'query'>;
  ops: Pick<OpsPort, 'get'>;
  archives: Pick<HistoryArchive<ArchivedFile>, 'archiveNext' | 'name'>;
  objects: ObjectStore;
  /** Where the object store is. */
  folder: string;
}

/** A history whose archive is tried with the faults below. */
export interface ArchiveCase extends RunningArchive {
  /** Has rows that are old enough for a file. */
  tenant: { id: string; slug: string };
  /** What must not change unless a file is recorded. */
  state(): Promise<unknown>;
  /** Answers of the API that come from the file: 503 while it cannot be read. None: nothing of the API reads files. */
  answers(): Promise<{ status: number; headers: Headers; body: object }[]>;
  /** Gives the tenant rows that are old enough for a further file. */
  moreRows(): Promise<void>;
}

export interface FaultsOfHistory {
  /** Of its files. */
  table: string;
  /** What is written when a file is recorded, in the order in which it is: a trigger fails there. */
  steps: [table: string, event: string][];
  /** In the text of a file: what is replaced in a row, and a row that is taken out. */
  changed: [from: string | RegExp, to: string];
  removed: RegExp;
  /** Whether the same rows make the same file. */
  isSame: boolean;
}

/** What operators see of an archive. */
export class OperatorsView {
  constructor(private readonly running: RunningArchive) {}

  async files({ slug }: { slug: string }): Promise<FileView[]> {
    return (await this.running.ops.get<{ data: FileView[] }>(`${this.path}?tenant=${slug}`)).body.data;
  }

  async verdict({ id }: { id: string }): Promise<{ valid: boolean; fault: string | null }> {
    return (await this.running.ops.get<{ valid: boolean; fault: string | null }>(`${this.path}/${id}/verify`)).body;
  }

  rows({ id }: { id: string }) {
    return this.running.ops.get<{ data: Record<string, unknown>[]; error?: string }>(
      `${this.path}/${id}/rows?limit=500`,
    );
  }

  private get path(): string {
    return `/archives/${this.running.archives.name}`;
  }

  pathOf({ object_key }: { object_key: string }): string {
    return path.join(this.running.folder, object_key);
  }
}

/** Changes the text of a file. */
function edit(file: string, from: string | RegExp, to: string): void {
  const text = fs.readFileSync(file, 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  fs.writeFileSync(file, changed);
}

/** The tests that every history has: a run that is cut off at any step, files that were changed, and a store that cannot be reached. */
export function archiveFaults(of: () => ArchiveCase, history: FaultsOfHistory): void {
  const next = () => of().archives.archiveNext(of().tenant.id, 'noche', 'test');
  const view = () => new OperatorsView(of());
  const files = () => view().files(of().tenant);
  const archived = async (): Promise<FileView> => {
    await next();
    return (await files()).at(-1) as FileView;
  };

  describe('a run that is cut off', () => {
    it('before, while or after the file is written leaves the rows, and the next one archives them', async () => {
      const before = await of().state();
      for (const [method, call] of [
        ['put', 1],
        ['put', 2],
        ['get', 1],
        ['get', 2],
      ] as const) {
        const failed = failing(of().objects, method, call, new Error('cut off'));
        await expect(next()).rejects.toThrow('cut off');
        failed.mockRestore();
        expect(await of().state()).toEqual(before);
        expect(await files()).toEqual([]);
      }
      const file = await archived();
      expect(await files()).toHaveLength(1);
      expect(await view().verdict(file)).toMatchObject({ valid: true });
      const name = path.basename(file.object_key);
      const written = fs.readdirSync(path.dirname(view().pathOf(file))).sort();
      expect(written).toEqual(history.isSame ? [name, `${name}.sig`] : expect.arrayContaining([name, `${name}.sig`]));
    });

    it('in the transaction that records the file and deletes its rows leaves both', async () => {
      const { store, state } = of();
      const before = await state();
      await store.query(
        `create or replace function public.fail() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$`,
      );
      for (const [table, event] of [...history.steps, ['platform.operator_act', 'after insert'] as const]) {
        await store.query(`create trigger fails ${event} on ${table} for each row execute function public.fail()`);
        await expect(next(), table).rejects.toThrow('cut off');
        await store.query(`drop trigger fails on ${table}`);
        expect(await state(), table).toEqual(before);
        expect(await files()).toEqual([]);
      }
      expect(await view().verdict(await archived())).toMatchObject({ valid: true });
    });
  });

  describe('a file that was changed', () => {
    it.each([
      ['a changed row', 'altered', (file: string) => edit(file, ...history.changed)],
      ['a row that is gone', 'altered', (file: string) => edit(file, history.removed, '\n')],
      ['another signature', 'signature', (file: string) => fs.writeFileSync(`${file}.sig`, Buffer.alloc(256))],
      ['no file', 'missing', (file: string) => fs.rmSync(file)],
    ])('is found, and nothing of it is shown: %s', async (_, fault, change) => {
      const file = await archived();
      change(view().pathOf(file));
      expect(await view().verdict(file)).toMatchObject({ valid: false, fault });
      const { status, body } = await view().rows(file);
      expect([status, body.error]).toEqual([409, expect.stringContaining(fault)]);
      for (const answer of await of().answers()) expect(answer).toMatchObject(unavailable('not what was signed'));
    });

    it.each(['sha256', 'head_after'])(
      'is found when the record of the file before is another: its %s',
      async (column) => {
        const first = await archived();
        await of().moreRows();
        const second = await archived();
        expect(second.from).toBe(first.through + 1);
        expect(await view().verdict(second)).toMatchObject({ valid: true });
        await forged(of().store, history.table, `${column} = repeat('1', 64) where id = '${first.id}'`);
        expect(await view().verdict(second)).toMatchObject({ valid: false, fault: 'predecessor' });
        expect((await view().verdict(first)).valid).toBe(false);
      },
    );
  });

  it('a store that cannot be reached is a 503, to be tried again, and changes nothing', async () => {
    const before = await of().state();
    const unwritten = failing(of().objects, 'put', 1, new StorageUnavailable('unplugged'));
    await expect(next()).rejects.toMatchObject({ status: 503 });
    unwritten.mockRestore();
    expect(await of().state()).toEqual(before);
    const file = await archived();
    const unread = failing(of().objects, 'get', undefined, new StorageUnavailable('unplugged'));
    const { status, body } = await view().rows(file);
    expect([status, body.error]).toEqual([503, expect.stringContaining('try again')]);
    for (const answer of await of().answers()) {
      expect(answer).toMatchObject(unavailable('try again'));
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    unread.mockRestore();
    for (const answer of await of().answers()) expect(answer.status).toBe(200);
  });
}

const unavailable = (detail: string) => ({
  status: 503,
  body: {
    type: expect.stringContaining('dependency-unavailable') as string,
    detail: expect.stringContaining(detail) as string,
  },
});

/** Changes a table as no process can. `changes`: what follows `set`. */
export async function forged(store: Pick<TestDatabase, 'query'>, table: string, changes: string): Promise<void> {
  await store.query(`alter table ${table} disable trigger user`);
  await store.query(`update ${table} set ${changes}`);
  await store.query(`alter table ${table} enable trigger user`);
}

/** Lets a call of a method of the store fail; undefined: every one. */
function failing(objects: ObjectStore, method: 'put' | 'get', nth: number | undefined, error: Error) {
  const store = objects as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const real = (store[method] as (...args: unknown[]) => Promise<unknown>).bind(objects);
  let calls = 0;
  return vi.spyOn(store, method).mockImplementation(async (...args: unknown[]) => {
    calls += 1;
    if (nth === undefined || calls === nth) throw error;
    return real(...args);
  });
}
