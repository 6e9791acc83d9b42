import { describe, expect, it } from 'vitest';
import { drainBacklog } from './backlog.ts';

/** Drains a store of these ids, two at a time. */
async function drained(ids: string[], handle: (id: string) => Promise<boolean | void>, signal?: AbortSignal) {
  const left = new Set(ids);
  const tried: string[] = [];
  const batches: string[][] = [];
  const end = await drainBacklog({
    batch: 2,
    due: (limit) => {
      const batch = [...left].slice(0, limit);
      batches.push(batch);
      return Promise.resolve(batch);
    },
    handle: async (id) => {
      tried.push(id);
      const done = await handle(id);
      if (done !== false) left.delete(id);
      return done;
    },
    about: (id) => ({ receipt_id: id }),
    signal,
  }).catch((error: Error) => error.message);
  return { tried, batches, left: [...left], end };
}

describe('a backlog', () => {
  it('is drained batch after batch, until one is not full', async () => {
    const { batches, left, end } = await drained(['a', 'b', 'c'], () => Promise.resolve());
    expect(batches).toEqual([['a', 'b'], ['c']]);
    expect([left, end]).toEqual([[], undefined]);
  });

  it('is drained past what fails or had nothing to do, each tried once, and fails by the first that failed', async () => {
    const { tried, left, end } = await drained(['a', 'b', 'c', 'd', 'e'], async (id) => {
      if (id < 'c') throw new Error(`no ${id}`);
      return id !== 'd';
    });
    expect(tried).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([left, end]).toEqual([['a', 'b', 'd'], 'no a']);
  });

  it('is left for the next run when a thousand of it could not be done', async () => {
    const ids = Array.from({ length: 1_100 }, (_, nth) => `${nth}`);
    const { tried, end } = await drained(ids, (id) => Promise.reject(new Error(`no ${id}`)));
    expect(tried).toEqual(ids.slice(0, 1_000));
    expect(end).toBe('no 0');
  });

  it('is left where the signal aborts', async () => {
    const stop = new AbortController();
    const { tried, left, end } = await drained(['a', 'b', 'c'], () => Promise.resolve(stop.abort()), stop.signal);
    expect(tried).toEqual(['a']);
    expect([left, end]).toEqual([['b', 'c'], undefined]);
  });

  it('whose store fails fails by what failed before that', async () => {
    let reads = 0;
    const end = drainBacklog({
      batch: 1,
      due: () => (++reads === 1 ? Promise.resolve(['a']) : Promise.reject(new Error('no store'))),
      handle: () => Promise.reject(new Error('no a')),
      about: (id) => ({ receipt_id: id }),
    });
    await expect(end).rejects.toThrow('no a');
    expect(reads).toBe(2);
  });
});
