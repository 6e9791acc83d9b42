import { PassThrough } from 'node:stream';
import type { Tx } from '@constancia/persistence';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExportWatch, ROWS_MS, STALL_MS, WHOLE_MS } from './export-watch.ts';

/** A watch of a client that `readFor` lets take something every half minute. */
function watched() {
  const body = new PassThrough();
  body.on('error', () => undefined);
  const watch = new ExportWatch(body, { query: () => Promise.resolve([]) } as unknown as Tx);
  const readFor = (ms: number) => {
    for (const end = Date.now() + ms; Date.now() < end;) {
      watch.progress();
      vi.advanceTimersByTime(Math.min(STALL_MS / 2, end - Date.now()));
    }
  };
  return { body, watch, readFor };
}

describe('the watch of an export', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('cuts an archive off whose client takes nothing', () => {
    const { body, readFor } = watched();
    readFor(5 * STALL_MS);
    expect(body.destroyed).toBe(false);
    vi.advanceTimersByTime(STALL_MS);
    expect(body.errored?.message).toBe('the client reads no more');
  });

  it('cuts an archive off whose rows take too long', () => {
    const { body, readFor } = watched();
    readFor(ROWS_MS);
    expect(body.errored?.message).toBe('the rows were not read in time');
  });

  it('counts the time of the whole archive from its start', () => {
    const { body, watch, readFor } = watched();
    readFor(ROWS_MS / 2);
    watch.rowsEnded();
    readFor(WHOLE_MS - ROWS_MS / 2 - 1);
    expect(body.destroyed).toBe(false);
    readFor(1);
    expect(body.errored?.message).toBe('the archive was not read in time');
  });

  it('keeps the deadline when the slot is given up, until the archive has ended', () => {
    const [waiting, ended] = [watched(), watched()];
    for (const { watch } of [waiting, ended]) {
      watch.rowsEnded();
      watch.slotEnded();
    }
    ended.watch.end();
    vi.advanceTimersByTime(WHOLE_MS);
    expect([waiting.body.destroyed, ended.body.destroyed]).toEqual([true, false]);
  });
});
