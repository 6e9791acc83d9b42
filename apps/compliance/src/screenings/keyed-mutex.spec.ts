import { describe, expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('work under a keyed mutex', () => {
  it('runs one after the other for one key, side by side for others', async () => {
    const mutex = new KeyedMutex();
    const order: string[] = [];
    const work = (name: string, ms: number) => async () => {
      order.push(`${name} begins`);
      await after(ms);
      order.push(`${name} ends`);
    };
    await Promise.all([mutex.run('a', work('a1', 30)), mutex.run('a', work('a2', 1)), mutex.run('b', work('b1', 10))]);
    expect(order).toEqual(['a1 begins', 'b1 begins', 'b1 ends', 'a1 ends', 'a2 begins', 'a2 ends']);
  });

  it('runs after work that failed', async () => {
    const mutex = new KeyedMutex();
    const failed = mutex.run('a', () => Promise.reject(new Error('no')));
    const next = mutex.run('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });
});
