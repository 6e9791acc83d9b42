import { hashSecret } from '@constancia/auth';
import { SecretBox } from '@constancia/kernel';
import { expect, test } from 'vitest';
import type { SigningConfig } from '../config.ts';
import { SignTokens } from './sign-tokens.ts';

const tokens = new SignTokens(new SecretBox([Buffer.alloc(32, 1)]), {
  signUrl: 'https://sign.example/',
} as SigningConfig);

test('a token opens in the row of its signer, and in no other', () => {
  const { token, hash, sealed } = tokens.issue('a');
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(hashSecret(token).equals(hash)).toBe(true);
  expect(tokens.open({ id: 'a', token_sealed: sealed })).toBe(token);
  expect(() => tokens.open({ id: 'b', token_sealed: sealed })).toThrow();
  expect(sealed.includes(token)).toBe(false);
  expect(tokens.urlOf(token)).toBe(`https://sign.example/${token}`);
  expect(tokens.verifyUrlOf('abc')).toBe('https://sign.example/verify/abc');
});
