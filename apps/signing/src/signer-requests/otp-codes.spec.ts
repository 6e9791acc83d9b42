import { describe, expect, it } from 'vitest';
import { MISSES_PER_LINK, nextSendAt, OtpCodes, withSend } from './otp-codes.ts';

const SIGNER = '01900000-0000-7000-8000-000000000001';
const [old, present] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1000);

describe('a one-time code', () => {
  it('has six digits, and all of them occur at every place', () => {
    const codes = Array.from({ length: 2_000 }, () => new OtpCodes([present]).newCode());
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    for (let place = 0; place < 6; place++) expect(new Set(codes.map((code) => code[place])).size).toBe(10);
    expect(new Set(codes).size).toBeGreaterThan(1_990);
  });

  it('matches its hash for its signer only, and after the key was rotated', () => {
    const kept = new OtpCodes([old]).hashOf(SIGNER, '012345');
    const codes = new OtpCodes([present, old]);
    expect(codes.matches(SIGNER, '012345', kept)).toBe(true);
    expect(codes.matches(SIGNER, '012346', kept)).toBe(false);
    expect(codes.matches(SIGNER.replace('1', '2'), '012345', kept)).toBe(false);
    expect(new OtpCodes([present]).matches(SIGNER, '012345', kept)).toBe(false);
    expect(codes.hashOf(SIGNER, '012345')).not.toEqual(kept);
  });
});

describe('the next send', () => {
  it.each([
    ['at once when none was sent', [], new Date(0)],
    ['a minute after the last', [at(0)], at(60)],
    ['a minute after the last of four', [at(0), at(60), at(120), at(180)], at(240)],
    ['an hour after the first of five', [at(0), at(60), at(120), at(180), at(240)], at(3600)],
    ['an hour after the fifth from the last', [at(0), at(60), at(120), at(180), at(240), at(3600)], at(3660)],
  ])('is %s', (_, sends, expected) => {
    expect(nextSendAt({ sends, misses: MISSES_PER_LINK - 1, expiresAt: at(9_999) })).toEqual(expected);
  });

  it('is not before the end of a link that took too many wrong codes', () => {
    expect(nextSendAt({ sends: [], misses: MISSES_PER_LINK, expiresAt: at(9_999) })).toEqual(at(9_999));
  });

  it('forgets what is older than an hour', () => {
    expect(withSend([at(0), at(10)], at(3605))).toEqual([at(10), at(3605)]);
  });
});
