import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  generateApiKey,
  generateOwnerProofToken,
  generateRecoveryToken,
  generateWebhookSecret,
} from '@constancia/auth';
import { expect, it } from 'vitest';
import { committedFiles, committedSecrets, secretsIn } from './committed-secrets.ts';

/** What was looked at and is no secret. */
const NO_SECRETS: Record<string, string> = {
  'libs/config/src/production-rules.spec.ts': 'addresses with an invented password, which must not appear in messages',
  'libs/events/src/target-guard.spec.ts': 'an address with a user and a password, which has to be refused',
  'libs/telemetry/src/logger.spec.ts': 'an invented recovery token, which has to be kept out of the log',
};

it('no committed file holds a secret', { timeout: 120_000 }, async () => {
  expect(committedFiles().length).toBeGreaterThan(1_000);
  const found = await committedSecrets();
  expect(found.filter(({ file }) => NO_SECRETS[file] === undefined)).toEqual([]);
});

it.each([
  ['an API key', () => generateApiKey('sandbox').plaintext],
  ['a live API key', () => generateApiKey('production').plaintext],
  ['a webhook secret', () => generateWebhookSecret()],
  ['a proof of an address', () => generateOwnerProofToken().plaintext],
  ['a recovery token', () => generateRecoveryToken().plaintext],
  [
    'a private key',
    () =>
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs1', format: 'pem' })
        .toString(),
  ],
  [
    'a key of AWS',
    () =>
      `aws_access_key_id = AKIA${'ABCDEFGHIJKLMNOP'.slice(0, 16)}\naws_secret_access_key = ${randomBytes(29).toString('base64').slice(0, 38)}4/`,
  ],
])('a planted one is found: %s', async (_, make) => {
  const text = `first line\nconst planted = "${make()}";\n`;
  const found = await secretsIn('planted.ts', Buffer.from(text));
  expect(found.length).toBeGreaterThan(0);
  expect(JSON.stringify(found)).not.toContain(text.slice(30, 60));
});
