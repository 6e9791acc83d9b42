import { describe, expect, it, vi } from 'vitest';
import { sleep } from './clock.ts';
import { IndependentWork, observePeriodicRuns, PeriodicTask, type PeriodicTaskOptions } from './periodic-task.ts';

describe('A periodic task', () => {
  it('does not overlap with itself, however long a run takes and however often it is woken', async () => {
    const { task, seen } = countingTask({ everyMs: 2 }, 20);
    task.start();
    for (let turn = 0; turn < 30; turn++) {
      task.wake();
      await sleep(3);
    }
    await task.close();

    expect(seen.runs).toBeGreaterThan(2);
    expect(seen.mostAtOnce).toBe(1);
  });

  it('that wakes itself before its first pause runs once more, afterwards', async () => {
    const seen: string[] = [];
    const task: PeriodicTask = new PeriodicTask({
      ...{ name: 'test', everyMs: 60_000, logger: { warn: vi.fn() } },
      run: async () => {
        seen.push('begins');
        if (seen.length === 1) task.wake();
        await sleep(5);
        seen.push('ends');
      },
    });
    task.wake();
    await vi.waitFor(() => expect(seen).toEqual(['begins', 'ends', 'begins', 'ends']));
    await task.close();
  });

  it('is waited for by close, and begins no run afterwards', async () => {
    const { task, seen } = countingTask({ everyMs: 1 }, 30);
    task.wake();
    await sleep(5);
    expect(seen.atOnce).toBe(1);

    await task.close();
    expect(seen.atOnce).toBe(0);
    task.wake();
    await sleep(10);
    expect(seen.runs).toBe(1);
  });

  it('signals a run in progress that the process stops', async () => {
    let hasSeenSignal = false;
    const task = new PeriodicTask({
      ...{ name: 'test', everyMs: 1, logger: { warn: vi.fn() } },
      run: async (signal) => {
        await sleep(60_000, signal);
        hasSeenSignal = signal.aborted;
      },
    });
    task.wake();
    await task.close();
    expect(hasSeenSignal).toBe(true);
  });

  it('runs again after a wake that came during a run: no wake is lost', async () => {
    const { task, seen } = countingTask({ everyMs: 60_000 }, 10);
    task.wake();
    await sleep(2);
    task.wake();
    task.wake();
    await vi.waitFor(() => expect(seen.runs).toBe(2));
    await task.close();
  });

  it('continues after a failure, which is logged at most once per interval', async () => {
    const warn = vi.fn();
    let runs = 0;
    const task = new PeriodicTask({
      ...{ name: 'test', everyMs: 1, logger: { warn } },
      run: () => Promise.reject(new Error(`failure ${++runs}`)),
    });
    task.start();
    await vi.waitFor(() => expect(runs).toBeGreaterThan(3));
    await task.close();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('continues after an observer of its runs threw', async () => {
    const stop = observePeriodicRuns(() => {
      throw new Error('not measured');
    });
    const { task, seen } = countingTask({ everyMs: 1 }, 0);
    task.start();
    await vi.waitFor(() => expect(seen.runs).toBeGreaterThan(2));
    await task.close();
    stop();
  });

  it('does every independent piece, then fails once, by the piece that failed first', async () => {
    const warn = vi.fn();
    const results: [name: string, failed: boolean][] = [];
    const stop = observePeriodicRuns(({ name, failed }) => results.push([name, failed]));
    const done: string[] = [];
    const run = async () => {
      const work = new IndependentWork();
      for (const id of ['a', 'b', 'c']) {
        const piece = () => (id === 'c' ? done.push(id) : Promise.reject(new Error(`no ${id}`)));
        await work.attempt(piece, { receipt_id: id });
      }
      work.throwFirstFailure();
    };
    const task = new PeriodicTask({ name: 'test', everyMs: 60_000, logger: { warn }, run });
    task.wake();
    await vi.waitFor(() => expect(results).toEqual([['test', true]]));
    await task.close();
    stop();
    expect(done).toEqual(['c']);
    const line = { job: 'test', receipt_id: 'a', error: new Error('no a') };
    expect(warn).toHaveBeenCalledExactlyOnceWith(line, 'a periodic task failed and will be tried again');
  });

  it('waits about the configured time, not exactly, so that processes do not run in step', async () => {
    const waits: number[] = [];
    const timeout = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((_: unknown, ms: number) => {
      waits.push(ms);
    }) as never);
    for (let turn = 0; turn < 50; turn++) countingTask({ everyMs: 1_000 }, 0).task.start();
    timeout.mockRestore();

    expect(new Set(waits).size).toBeGreaterThan(1);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(900);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_100);
  });
});

function countingTask(options: Pick<PeriodicTaskOptions, 'everyMs'>, runMs: number) {
  const seen = { runs: 0, atOnce: 0, mostAtOnce: 0 };
  const run = async () => {
    seen.runs++;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.atOnce);
    await sleep(runMs);
    seen.atOnce--;
  };
  return { seen, task: new PeriodicTask({ name: 'test', logger: { warn: vi.fn() }, run, ...options }) };
}
