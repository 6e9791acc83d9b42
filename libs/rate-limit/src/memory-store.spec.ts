import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryRateLimitStore, type RateClock } from './memory-store.ts';
import { storeConformance } from './store-conformance.fixture.ts';

storeConformance('memory', async () => new MemoryRateLimitStore());

class SetClock implements RateClock {
  ms = 0;
  elapsedMs = () => this.ms;
  epochMs = () => 1_800_000_000_000 + this.ms;
}

describe('memory: over any stretch of time', () => {
  const waits = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 20_000 }));

  it('holds no more than the limit in any window', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(waits, { maxLength: 80 }), async (limit, steps) => {
        const clock = new SetClock();
        const store = new MemoryRateLimitStore({ clock });
        const passed: number[] = [];
        for (const wait of steps) {
          clock.ms += wait;
          if ((await store.take('k', limit, 10)).allowed) passed.push(clock.ms);
        }
        for (const start of passed) {
          expect(passed.filter((at) => at >= start && at < start + 10_000).length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('lets a request pass at the reset stated by any earlier answer, when nobody else takes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(waits, { minLength: 1, maxLength: 40 }),
        async (limit, steps) => {
          const clock = new SetClock();
          const store = new MemoryRateLimitStore({ clock });
          let last = await store.take('k', limit, 10);
          for (const wait of steps) {
            clock.ms += wait;
            last = await store.take('k', limit, 10);
          }
          clock.ms = Math.max(clock.ms, last.resetAtSeconds * 1000 - 1_800_000_000_000);
          expect(await store.take('k', limit, 10)).toMatchObject({ allowed: true });
        },
      ),
    );
  });

  it('promises a wait that is at most the window and a second', async () => {
    const clock = new SetClock();
    const store = new MemoryRateLimitStore({ clock });
    await store.take('k', 1, 10);
    expect((await store.take('k', 1, 10)).retryAfterSeconds).toBeLessThanOrEqual(11);
  });
});

describe('memory: bounds', () => {
  it('forgets keys whose takes have left the window', async () => {
    const clock = new SetClock();
    const store = new MemoryRateLimitStore({ clock });
    for (let i = 0; i < 500; i++) await store.take(`k${i}`, 5, 60);
    expect(store.size).toBe(500);
    clock.ms += 61_000;
    await store.take('late', 5, 60);
    expect(store.size).toBe(1);
  });

  it('never holds more keys than it may, and keeps those in use', async () => {
    const store = new MemoryRateLimitStore({ maxKeys: 100 });
    await store.take('busy', 500, 60);
    for (let i = 0; i < 400; i++) {
      await store.take(`k${i}`, 5, 60);
      await store.take('busy', 500, 60);
    }
    expect(store.size).toBe(100);
    expect((await store.take('busy', 500, 60)).remaining).toBe(98);
  });

  it('holds nothing for keys that were only given back', async () => {
    const store = new MemoryRateLimitStore();
    await store.giveBack('b', 60);
    expect(store.size).toBe(0);
  });

  it('counts right with a limit of 100,000 that is always nearly used up', async () => {
    const clock = new SetClock();
    const store = new MemoryRateLimitStore({ clock });
    for (let i = 0; i < 150_000; i++) {
      clock.ms += 0.5;
      await store.take('k', 100_000, 45);
    }
    expect((await store.take('k', 100_000, 45)).remaining).toBe(9_999); // 45 s hold 90,000 takes
  });
});
