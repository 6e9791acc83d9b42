import { afterEach, expect, it, vi } from 'vitest';
import { sweepRegularly } from './sweep-regularly.ts';
import { Sweeps } from './sweeps.ts';

const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

it('schedules of sweeps are put into the queue at once, and again after they were lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const schedulers = new Map<string, { every: number; next: number }>();
  const queue = (name: string) => ({
    getJobScheduler: async () => schedulers.get(name),
    upsertJobScheduler: async (_: string, { every }: { every: number }) =>
      void schedulers.set(name, { every, next: Date.now() }),
    getJob: async () => undefined,
  });
  const sweeps = new Sweeps(async () => ({ queue }) as never, logger);
  sweeps.add({ name: 'sealing', everyMs: 500 });
  sweeps.add({ name: 'step-run', everyMs: 500 });
  await vi.advanceTimersByTimeAsync(0);
  expect([...schedulers.keys()]).toEqual(['sealing', 'step-run']);
  schedulers.clear();
  await vi.advanceTimersByTimeAsync(2_200);
  expect([...schedulers.keys()]).toEqual(['sealing', 'step-run']);
  await sweeps.close();
  schedulers.clear();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(schedulers.size).toBe(0);
});

it('a schedule that cannot be kept does not stop the others, and is reported with its queue', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const put: string[] = [];
  const queue = (name: string) => ({
    getJobScheduler: () => (name === 'sealing' ? Promise.reject(new Error('no store')) : Promise.resolve(undefined)),
    upsertJobScheduler: async () => void put.push(name),
  });
  const sweeps = new Sweeps(async () => ({ queue }) as never, logger);
  sweeps.add({ name: 'sealing', everyMs: 500 });
  sweeps.add({ name: 'step-run', everyMs: 500 });
  await vi.advanceTimersByTimeAsync(0);
  await sweeps.close();
  expect(put).toEqual(['step-run']);
  const line = { job: 'queue-schedules', queue: 'sealing', error: new Error('no store') };
  expect(logger.warn).toHaveBeenCalledExactlyOnceWith(line, expect.any(String));
});

it('a sweep runs at the start, by its schedule, and by the own clock only while the schedule is silent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  let scheduled: () => Promise<void> = () => Promise.resolve();
  const queues = { every: (_: string, __: number, work: unknown) => (scheduled = work as never) };
  const sweep = vi.fn(() => Promise.resolve());
  const task = sweepRegularly(queues as never, { queue: 'sealing', everyMs: 1_000, sweep, logger });
  await vi.advanceTimersByTimeAsync(0);
  expect(sweep).toHaveBeenCalledTimes(1);
  await scheduled();
  await vi.advanceTimersByTimeAsync(1_100);
  expect(sweep).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(3_300);
  expect(sweep.mock.calls.length).toBeGreaterThan(2);
  await task.close();
});
