import { describe, expect, it } from 'vitest';
import { CallLimit } from './call-limit.ts';

/** The most that fell into one second. */
const mostInOneSecond = (turns: number[]) =>
  Math.max(...turns.map((start, nth) => turns.slice(nth).filter((at) => at < start + 1_000).length));

describe('a limit of calls a second', () => {
  it.each([1, 20, 100, 400])('of %d is not exceeded in any second, and is nearly reached', async (perSecond) => {
    let clock = 0;
    const turns: number[] = [];
    // take(0) refuses a caller that would have to wait.
    const limit = new CallLimit(perSecond, () => clock);
    while (clock < 10_000) {
      if (await limit.take(0)) {
        turns.push(clock);
        limit.end();
      } else clock += 1;
    }
    expect(mostInOneSecond(turns)).toBeLessThanOrEqual(perSecond);
    expect(turns.length / 10).toBeGreaterThan(perSecond * 0.94);
    expect(limit.calls).toBe(turns.length);
  });

  it('is not exceeded after this process was held up with callers in line', async () => {
    const limit = new CallLimit(50);
    const turns: number[] = [];
    const line = Array.from({ length: 120 }, () =>
      limit.take(10_000).then(() => {
        turns.push(performance.now());
        limit.end();
      }),
    );
    for (let stall = 0; stall < 4; stall++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      for (const until = performance.now() + 250; performance.now() < until;) Math.sqrt(until);
    }
    await Promise.all(line);
    expect(mostInOneSecond(turns)).toBeLessThanOrEqual(50);
    expect((turns.at(-1) as number) - (turns[0] as number)).toBeLessThan(4_000);
  });

  it('holds where the calls arrive, however unequal the time is that they are under way', async () => {
    const perSecond = 60;
    const limit = new CallLimit(perSecond);
    const arrivals: number[] = [];
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await Promise.all(
      Array.from({ length: 150 }, async (_, nth) => {
        await limit.take(20_000);
        // Late ones arrive together with prompt ones.
        await pause(nth % 40 < 20 ? 300 - (nth % 20) * 15 : 0);
        arrivals.push(performance.now());
        await pause(10);
        limit.end();
      }),
    );
    expect(mostInOneSecond(arrivals.sort((a, b) => a - b))).toBeLessThanOrEqual(perSecond);
  });

  it('lets callers through in order', async () => {
    const limit = new CallLimit(100);
    const order: number[] = [];
    await Promise.all(Array.from({ length: 40 }, (_, nth) => limit.take(1_000).then(() => order.push(nth))));
    expect(order).toEqual(Array.from({ length: 40 }, (_, nth) => nth));
  });

  it('refuses at once who would wait longer than his deadline, and takes no turn for him', async () => {
    const limit = new CallLimit(10);
    const asked = performance.now();
    const turns = await Promise.all(Array.from({ length: 10 }, () => limit.take(250)));
    expect(turns.filter(Boolean)).toHaveLength(4); // two at once, two within 250 ms
    expect(limit.calls).toBe(4);
    expect(performance.now() - asked).toBeLessThan(600);
  });
});
