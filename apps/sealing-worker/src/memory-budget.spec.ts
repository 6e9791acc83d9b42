import { describe, expect, it } from 'vitest';
import { MemoryBudget } from './memory-budget.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the memory of documents in progress', () => {
  it('is never exceeded, and what waits comes in order', async () => {
    const room = new MemoryBudget(100);
    const order: number[] = [];
    let [inside, most] = [0, 0];
    const sizes = [60, 30, 50, 10, 100, 20, 80];
    await Promise.all(
      sizes.map((bytes, nth) =>
        room.run(bytes, async () => {
          order.push(nth);
          inside += bytes;
          most = Math.max(most, inside);
          await pause(5);
          inside -= bytes;
        }),
      ),
    );
    expect(most).toBeLessThanOrEqual(100);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('goes whole to work that is larger than it', async () => {
    const room = new MemoryBudget(100);
    let others = 0;
    const small = room.run(1, async () => pause(10).then(() => others++));
    await room.run(1_000, async () => expect(others).toBe(1));
    await small;
  });

  it('is given back by work that fails', async () => {
    const room = new MemoryBudget(10);
    await expect(room.run(10, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await room.run(10, async () => 'in')).toBe('in');
  });
});
