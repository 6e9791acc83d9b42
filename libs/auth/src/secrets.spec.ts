import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateApiKey, generateRecoveryToken, generateWebhookSecret, hashSecret, parseApiKey } from './secrets.ts';

describe('API keys', () => {
  it('are test_ or live_, 43 base62 characters and a checksum of 6', () => {
    expect(generateApiKey('sandbox').plaintext).toMatch(/^test_[0-9A-Za-z]{49}$/);
    expect(generateApiKey('production').plaintext).toMatch(/^live_[0-9A-Za-z]{49}$/);
  });

  it('come with their SHA-256 and a prefix that may be shown', () => {
    const { plaintext, hash, prefix } = generateApiKey('sandbox');
    expect(hash).toEqual(createHash('sha256').update(plaintext).digest());
    expect(prefix).toMatch(/^test_[0-9A-Za-z]{4}$/);
    expect(plaintext.startsWith(prefix)).toBe(true);
  });

  it('never repeat', () => {
    expect(new Set(Array.from({ length: 500 }, () => generateApiKey('sandbox').plaintext)).size).toBe(500);
  });

  it('tell their environment', () => {
    expect(parseApiKey(generateApiKey('sandbox').plaintext)).toEqual({ environment: 'sandbox' });
    expect(parseApiKey(generateApiKey('production').plaintext)).toEqual({ environment: 'production' });
  });

  it('are refused with any one character changed, which the checksum detects', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...'0123456789ABCXYZabcxyz_-'), (position, character) => {
        const { plaintext } = generateApiKey('sandbox');
        const at = position % plaintext.length;
        const altered = plaintext.slice(0, at) + character + plaintext.slice(at + 1);
        expect(parseApiKey(altered)).toEqual(altered === plaintext ? { environment: 'sandbox' } : null);
      }),
      { numRuns: 500 },
    );
  });

  it('are refused with the prefix of the other environment', () => {
    expect(parseApiKey(generateApiKey('sandbox').plaintext.replace('test_', 'live_'))).toBeNull();
  });

  it.each(['', 'test_', 'test_short', `test_${'a'.repeat(49)}`, `test_${'a'.repeat(10_000)}`, 'x'.repeat(54)])(
    'refuses %.20s',
    (text) => expect(parseApiKey(text)).toBeNull(),
  );
});

describe('other secrets', () => {
  it('makes recovery tokens: rec_ and 43 base62 characters', () => {
    const { plaintext, hash } = generateRecoveryToken();
    expect(plaintext).toMatch(/^rec_[0-9A-Za-z]{43}$/);
    expect(hash).toEqual(hashSecret(plaintext));
  });

  it('makes webhook secrets: whsec_ and base64 of 32 bytes', () => {
    const secret = generateWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  });
});
