import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('turns', () => {
  it('come one after the other for one key, side by side for others', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const work = (name: string, ms: number) => async () => {
      order.push(`${name} begins`);
      await after(ms);
      order.push(`${name} ends`);
    };
    await Promise.all([
      turns.take('a', work('a1', 30)),
      turns.take('a', work('a2', 1)),
      turns.take('b', work('b1', 10)),
    ]);
    expect(order).toEqual(['a1 begins', 'b1 begins', 'b1 ends', 'a1 ends', 'a2 begins', 'a2 ends']);
  });

  it('go on after one that failed', async () => {
    const turns = new Turns();
    const failed = turns.take('a', () => Promise.reject(new Error('no')));
    const next = turns.take('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });
});
