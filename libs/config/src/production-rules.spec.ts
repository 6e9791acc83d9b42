import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ConfigInvalid, loadConfig, StoresConfig, withMail, withObjectStore, withSecretsKey } from './index.ts';

class Config extends withMail(withObjectStore(withSecretsKey(StoresConfig))) {}

const key = (): string => randomBytes(32).toString('base64');
const bytes = (of: (nth: number) => number): string =>
  Buffer.from(Array.from({ length: 32 }, (_, nth) => of(nth))).toString('base64');

const GOOD = {
  SERVICE_ENVIRONMENT: 'production',
  DATABASE_URL: 'postgres://app:secret@db:5432/constancia?sslmode=verify-full',
  REDIS_URL: 'rediss://redis:6379',
  SECRETS_KEY: `${key()}, ${key()}`,
  QUEUE_SEALING_KEY: key(),
  OPS_TOKEN: randomBytes(32).toString('hex'),
  S3_BUCKET: 'documents',
  SMTP_URL: 'smtps://mail.example:465',
  MAIL_FROM: 'no-reply@constancia.example',
};

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(Config, { ...GOOD, ...env });
    return [];
  } catch (error) {
    return (error as ConfigInvalid).problems;
  }
}

describe('production', () => {
  it('starts with random keys and encrypted connections', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ OPS_TOKEN: randomBytes(32).toString('base64url') })).toEqual([]);
    expect(problemsOf({ S3_ENDPOINT: 'https://s3.example', SMTP_URL: 'smtp://mail:587?requireTLS=true' })).toEqual([]);
    for (const mode of ['require', 'verify-ca']) {
      expect(problemsOf({ DATABASE_URL: `postgres://app:secret@db/constancia?sslmode=${mode}` })).toEqual([]);
    }
  });

  it.each<[string, string]>([
    ['all zero', bytes(() => 0)],
    ['one byte', bytes(() => 7)],
    ['a repeated pattern', bytes((nth) => [201, 7, 33, 90, 12, 255, 17, 4][nth % 8] as number)],
    ['counted up', bytes((nth) => nth)],
    ['counted down', bytes((nth) => 255 - nth * 3)],
    ['a text', Buffer.from('change-me-before-production-2026').toString('base64')],
    ['few bytes', bytes((nth) => (nth * nth) % 11)],
  ])('refuses a key that is %s, also in second place, and says what to do', (_, weak) => {
    const problem = 'SECRETS_KEY is not random: generate one with `openssl rand -base64 32`';
    expect(problemsOf({ SECRETS_KEY: weak })).toEqual([problem]);
    expect(problemsOf({ SECRETS_KEY: `${key()},${weak}` })).toEqual([problem]);
    expect(problemsOf({ SECRETS_KEY: weak, SERVICE_ENVIRONMENT: 'sandbox' })).toEqual([]);
  });

  it('refuses one key for two purposes, and one twice', () => {
    const same = key();
    expect(problemsOf({ SECRETS_KEY: same, QUEUE_SEALING_KEY: `${key()},${same}` })).toEqual([
      expect.stringMatching(/^(\w+) has the same value as (?!\1)\w+ in production: generate a value of its own/),
    ]);
    expect(problemsOf({ SECRETS_KEY: `${same},${same}` })).toEqual([
      'SECRETS_KEY names the same key twice in production: leave one of them out',
    ]);
  });

  it.each<[string, string, RegExp]>([
    ['short', 'Zx9'.repeat(12), /is shorter than 32 random bytes: generate one with `openssl rand -hex 32`/],
    ['hexadecimal of 16 bytes', randomBytes(16).toString('hex') + 'abcdefabcdef', /is shorter than 32 random bytes/],
    ['one letter', 'x'.repeat(64), /is not random/],
    ['a repeated word', 'constancia-'.repeat(6), /is not random/],
  ])('refuses an operators’ token that is %s', (_, token, problem) => {
    expect(problemsOf({ OPS_TOKEN: token })).toEqual([expect.stringMatching(problem)]);
    expect(problemsOf({ OPS_TOKEN: token }).join()).not.toContain(token);
  });

  it.each([
    ['smtp', 'SMTP_URL', 'smtp://user:hunter2@mail:587'],
    ['redis', 'REDIS_URL', 'redis://:hunter2@redis:6379'],
    ['redis', 'REDIS_URL', 'redis://:hunter2@node-1:6379,redis://:hunter2@node-2:6379'],
    ['postgres', 'DATABASE_URL', 'postgres://app:hunter2@db/constancia'],
    ['postgres', 'DATABASE_URL', 'postgres://app:hunter2@db/constancia?sslmode=no-verify'],
    ['s3', 'S3_ENDPOINT', 'http://minio:9000'],
  ])('refuses %s in the clear (%s=%s) until exactly that is accepted', (connection, name, address) => {
    const problems = problemsOf({ [name]: address });
    expect(problems).toEqual([
      expect.stringMatching(
        new RegExp(`^${name} is not encrypted in production: .*list ${connection} in ACCEPTED_CLE`),
      ),
    ]);
    expect(problems.join()).not.toContain('hunter2');
    const others = ['smtp', 'redis', 'postgres', 's3'].filter((one) => one !== connection).join(', ');
    expect(problemsOf({ [name]: address, ACCEPTED_CLEARTEXT: others })).toHaveLength(1);
    expect(problemsOf({ [name]: address, ACCEPTED_CLEARTEXT: connection })).toEqual([]);
    expect(problemsOf({ [name]: address, SERVICE_ENVIRONMENT: 'sandbox' })).toEqual([]);
  });

  it('accepts only connections that it knows', () => {
    expect(problemsOf({ ACCEPTED_CLEARTEXT: 'smtp,everything' })).toEqual([
      expect.stringMatching(/^ACCEPTED_CLEARTEXT/),
    ]);
  });
});
