import { expect, test } from 'vitest';
import { accessCodeDigest, hashAccessCode, isAccessCode } from './access-codes.ts';

test('a code is distinguished from others, and from itself in no other way than by trying', async () => {
  const [one, two] = await Promise.all([hashAccessCode('Ñandú-7'), hashAccessCode('Ñandú-7')]);
  expect(one).not.toBe(two);
  expect(one).not.toContain('and');
  expect(await isAccessCode('Ñandú-7', one)).toBe(true);
  expect(await isAccessCode('N\u0303andu\u0301-7', two)).toBe(true);
  expect(await isAccessCode('ñandú-7', one)).toBe(false);
  expect(await isAccessCode('', one)).toBe(false);
});

test('the digest in a fingerprint is the same for one Idempotency-Key only', async () => {
  const key = '0198f3b2-0000-7000-8000-000000000001';
  expect(await accessCodeDigest('ceiba', key)).toBe(await accessCodeDigest('ceiba', key));
  expect(await accessCodeDigest('ceiba', key)).not.toBe(await accessCodeDigest('ceibo', key));
  expect(await accessCodeDigest('ceiba', key)).not.toBe(await accessCodeDigest('ceiba', key.replace('1', '2')));
});
