import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SigningKey } from '../signing-keys/signing-key.entity.ts';
import { signingKeyOf } from './signing-key-of.ts';

const pairs = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
const keys = pairs.map(
  ({ publicKey }) => ({ public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() }) as SigningKey,
);
const bytes = Buffer.from('a document');
const digest = createHash('sha256').update(bytes).digest();
const signature = sign('RSA-SHA256', bytes, (pairs[1] as (typeof pairs)[number]).privateKey);

describe('signingKeyOf', () => {
  it('finds the key that made a signature among those of the same identifier', () => {
    expect(signingKeyOf(keys, signature, digest)).toBe(keys[1]);
  });

  it('finds none for another digest, another signature, or no keys', () => {
    expect(signingKeyOf(keys, signature, createHash('sha256').update('another').digest())).toBeNull();
    const other = Buffer.from(signature);
    other.writeUInt8(other.readUInt8(0) ^ 1, 0);
    expect(signingKeyOf(keys, other, digest)).toBeNull();
    expect(signingKeyOf(keys, signature.subarray(1), digest)).toBeNull();
    expect(signingKeyOf([], signature, digest)).toBeNull();
  });
});
