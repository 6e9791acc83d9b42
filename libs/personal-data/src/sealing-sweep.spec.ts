import type { Database, Tx } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PersonalData } from './personal-data.ts';
import { SealingSweep } from './sealing-sweep.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';
const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;

/** Ids of rows in the clear, and whose they are. */
let clear: Map<string, string>;
let progress: { table_name: string; after_id: string; done: boolean };
let isSettled: boolean;
let broken: Set<string>;

function query(sql: string, params: unknown[]): Promise<object[]> {
  if (sql.includes('unsealed_rows')) {
    const [, after, limit] = params as [string, string, number];
    const rows = [...clear].map(([id, tenant_id]) => ({ id, tenant_id })).filter(({ id }) => id > after);
    return Promise.resolve(rows.sort((a, b) => a.id.localeCompare(b.id)).slice(0, limit));
  }
  if (sql.startsWith('update')) {
    const [, after_id, done] = params as [string, string, boolean];
    progress = { ...progress, after_id, done };
    return Promise.resolve([]);
  }
  return Promise.resolve(progress.done ? [] : [{ ...progress, is_settled: isSettled }]);
}

/** A process. */
const sweep = () =>
  new SealingSweep({
    schema: 'test',
    database: { query, tenant: (_: string, work: (tx: Tx) => unknown) => work({} as Tx) } as unknown as Database,
    personal: { isSealed: () => Promise.resolve(true), tenant: () => Promise.resolve({}) } as unknown as PersonalData,
    logger: { warn: vi.fn() } as unknown as Logger,
    tables: {
      row: (_, { tenantId }, ids) => {
        if (broken.has(tenantId)) return Promise.reject(new Error('cannot be opened'));
        for (const id of ids) clear.delete(id);
        return Promise.resolve();
      },
    },
  }).run();

beforeEach(() => {
  clear = new Map(Array.from({ length: 250 }, (_, nth) => [idOf(nth + 1), nth % 2 ? 'even' : 'odd']));
  progress = { table_name: 'row', after_id: FIRST, done: false };
  isSettled = true;
  broken = new Set();
});

describe('the sealing sweep', () => {
  it('seals every row in one pass when the mode changed long ago', async () => {
    await sweep();
    expect([clear.size, progress.done]).toEqual([0, true]);
  });

  it('finds an old row that a late request wrote in the clear after the first pass', async () => {
    isSettled = false;
    await sweep();
    expect([clear.size, progress.done]).toEqual([0, false]);
    clear.set(idOf(1), 'odd');
    await sweep();
    expect([clear.size, progress.done]).toEqual([1, false]); // other late requests may follow
    isSettled = true;
    await sweep();
    expect([clear.size, progress.done]).toEqual([0, true]);
  });

  it('that goes on where another process ended looks at all rows once more before it is done', async () => {
    progress.after_id = idOf(100);
    await sweep();
    expect([clear.size, progress.done]).toEqual([100, false]);
    await sweep();
    expect([clear.size, progress.done]).toEqual([0, true]);
  });

  it('seals the rows of other tenants when those of one fail, and tries these again', async () => {
    broken.add('odd');
    await expect(sweep()).rejects.toMatchObject({ about: { tenant_id: 'odd' }, message: 'cannot be opened' });
    expect([...new Set(clear.values()), progress.done]).toEqual(['odd', false]);
    broken.clear();
    await sweep();
    expect([clear.size, progress.done]).toEqual([0, true]);
  });
});
