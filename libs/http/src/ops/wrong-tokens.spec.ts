import { describe, expect, it } from 'vitest';
import { WrongTokens } from './wrong-tokens.ts';

describe('a wrong token', () => {
  it('blocks its address while many wait, and that address only', async () => {
    const wrong = new WrongTokens(20);
    const waiting = Array.from({ length: 10 }, () => wrong.slowDown('10.0.0.1'));
    expect([wrong.isBlocked('10.0.0.1'), wrong.isBlocked('10.0.0.2')]).toEqual([true, false]);
    await waiting[0];
    expect(wrong.isBlocked('10.0.0.1')).toBe(false);
  });
});
