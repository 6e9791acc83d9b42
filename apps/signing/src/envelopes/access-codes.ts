import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of one guess: 16 MiB and some 40 ms. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Hashes an access code for keeping: `scrypt$N$r$p$salt$hash`, base64url. The same code in another Unicode form is the same. */
export async function hashAccessCode(code: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(code, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether a code is the one that was hashed, compared in constant time. */
export async function isAccessCode(code: string, kept: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = kept.split('$');
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derived(code, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/**
 * An access code as it stands in the fingerprint of a request, which is kept for a day: always the same for one Idempotency-Key, and as
 * slow to guess as the hash.
 */
export async function accessCodeDigest(code: string, idempotencyKey: string): Promise<string> {
  return (await derived(code, Buffer.from(`idempotency:${idempotencyKey}`), COST)).toString('base64url');
}

function derived(code: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(code.normalize('NFC'), salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
