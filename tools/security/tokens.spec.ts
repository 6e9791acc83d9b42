import { generateApiKey, generateRecoveryToken, generateWebhookSecret } from '@constancia/auth';
import { SecretBox } from '@constancia/kernel';
import { describe, expect, it } from 'vitest';
import { generateSessionToken } from '../../apps/platform/src/identity/sessions/session-token.ts';
import type { SigningConfig } from '../../apps/signing/src/config.ts';
import { SignTokens } from '../../apps/signing/src/envelope-records/sign-tokens.ts';

const signTokens = new SignTokens(SecretBox.fromText(Buffer.alloc(32, 7).toString('base64')), {
  signUrl: 'https://sign.example',
} as SigningConfig);

/** What opens something, its random part, and how many characters that is drawn from. */
const KINDS: readonly [what: string, draw: () => string, alphabet: number][] = [
  ['API keys', () => generateApiKey('sandbox').plaintext.slice(5, 48), 62],
  ['recovery tokens', () => generateRecoveryToken().plaintext.slice(4), 62],
  ['session tokens', () => generateSessionToken().plaintext.slice(4), 62],
  ['webhook secrets', () => generateWebhookSecret().slice(6, 48), 64],
  ['sign tokens', () => signTokens.issue('01900000-0000-7000-8000-000000000001').token.slice(0, 42), 64],
];
const DRAWN = 3_000;

describe.each(KINDS)('%s', (_, draw, alphabet) => {
  const drawn = Array.from({ length: DRAWN }, draw);

  it('have at least 128 bits, and none comes twice', () => {
    const [one] = drawn as [string];
    expect(one.length * Math.log2(alphabet)).toBeGreaterThan(250);
    expect(new Set(drawn).size).toBe(DRAWN);
    expect(new Set(drawn.map((each) => each.slice(-22))).size, 'their second half alone').toBe(DRAWN);
  });

  it('draw every character of their alphabet as often as any other', () => {
    // The first character of a base62 number carries less: left out.
    const counts = new Map<string, number>();
    for (const each of drawn) for (const one of each.slice(2)) counts.set(one, (counts.get(one) ?? 0) + 1);
    expect(counts.size).toBe(alphabet);
    const expected = (DRAWN * ((drawn[0] as string).length - 2)) / alphabet;
    const chiSquared = [...counts.values()].reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
    // Mean alphabet − 1, deviation √(2 · (alphabet − 1)): six deviations are passed once in a billion runs.
    expect(chiSquared).toBeLessThan(alphabet - 1 + 6 * Math.sqrt(2 * (alphabet - 1)));
  });
});
