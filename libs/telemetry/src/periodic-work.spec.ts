import { afterEach, expect, it, vi } from 'vitest';
import { PeriodicWork } from './periodic-work.ts';

class Counting extends PeriodicWork {
  runs = 0;
  end: () => void = () => undefined;

  constructor() {
    super({ name: 'counting', everyMs: 1_000, logger: { warn: () => undefined }, runsAtStart: true });
  }

  override run(): Promise<void> {
    this.runs += 1;
    return new Promise((resolve) => (this.end = resolve));
  }
}

afterEach(() => void vi.useRealTimers());

it('begins no run once its module is destroyed, and its shutdown waits for the run in progress', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const work = new Counting();
  work.onApplicationBootstrap();
  work.onModuleDestroy();
  work.wake();
  let closed = false;
  const closing = work.beforeApplicationShutdown().then(() => (closed = true));
  await vi.advanceTimersByTimeAsync(10_000);
  expect([work.runs, closed]).toEqual([1, false]);
  work.end();
  await closing;
  expect(work.runs).toBe(1);
});
