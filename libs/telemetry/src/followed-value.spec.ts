import { sleep } from '@constancia/kernel';
import { describe, expect, it } from 'vitest';
import { FollowedValue } from './followed-value.ts';

describe('a value that follows a call', () => {
  it('is there in whatever the call leads to, beside others, and nowhere else', async () => {
    const [colour, size] = [new FollowedValue<string>(), new FollowedValue<number>()];
    const seen = async () => {
      await sleep(1);
      return [colour.get(), size.get()];
    };
    const both = () => colour.run('red', () => size.run(1, seen));
    const other = () => colour.run('blue', seen);
    const nested = () => colour.run('red', () => size.run(1, () => colour.run('green', seen)));
    expect(await Promise.all([both(), other(), nested(), seen()])).toEqual([
      ['red', 1],
      ['blue', undefined],
      ['green', 1],
      [undefined, undefined],
    ]);
  });
});
