import { randomBytes } from 'node:crypto';
import { ConfigInvalid, loadConfig } from '@constancia/config';
import { describe, expect, it } from 'vitest';
import { PlatformConfig } from './config.ts';

const [KEY, OTHER_KEY, THIRD_KEY] = Array.from({ length: 3 }, () => randomBytes(32).toString('base64')) as [
  string,
  string,
  string,
];
const ENOUGH = {
  SERVICE_ENVIRONMENT: 'sandbox',
  DATABASE_URL: 'postgres://platform_app:secret@db:5432/constancia',
  IDENTITY_DATABASE_URL: 'postgres://identity_app:secret@db:5432/constancia',
  DATA_KEY_ID: 'alias/constancia-data',
  QUEUE_DATABASE_URL: 'postgres://queue_app:secret@db:5432/constancia',
  SECRETS_KEY: KEY,
  QUEUE_SEALING_KEY: `${OTHER_KEY},${THIRD_KEY}`,
  SMTP_URL: 'smtp://mail:25',
  MAIL_FROM: 'Constancia <no-reply@constancia.example>',
  STORAGE_DIR: '/var/lib/constancia',
};

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(PlatformConfig, env);
    return [];
  } catch (error) {
    return (error as ConfigInvalid).problems;
  }
}

describe('the configuration of the platform', () => {
  it('has the published limits when nothing else is said', () => {
    const config = loadConfig(PlatformConfig, ENOUGH);
    expect(config).toMatchObject({ rateLimitSignup: 5, rateLimitTenant: 120, rateLimitIp: 120, rateLimitWrongKey: 30 });
    expect(config.webhookAllowLoopback).toBe(false);
  });

  it('needs a queue: Redis, or Postgres without it', () => {
    const { QUEUE_DATABASE_URL: _, ...rest } = ENOUGH;
    expect(problemsOf(rest)).toEqual([expect.stringMatching(/^QUEUE_DATABASE_URL must be a postgres:\/\/ address/)]);
    expect(problemsOf({ ...rest, REDIS_URL: 'redis://redis:6379' })).toEqual([]);
  });

  it('refuses webhooks to loopback in production', () => {
    const production = {
      ...ENOUGH,
      SERVICE_ENVIRONMENT: 'production',
      ACCEPTED_CLEARTEXT: 'smtp,postgres',
      BASE_URL: 'https://api.example.com',
      COMPLIANCE_URL: 'https://compliance.example.com',
      SIGNING_URL: 'https://signing.example.com',
      CONSOLE_URL: 'https://console.example.com',
      PERSON_URL: 'https://person.example.com',
    };
    expect(problemsOf(production)).toEqual([]);
    expect(problemsOf({ ...production, WEBHOOK_ALLOW_LOOPBACK: 'true' })).toEqual([
      'WEBHOOK_ALLOW_LOOPBACK must be false in production',
    ]);
  });

  it('names public https addresses of the hosts in production', () => {
    expect(problemsOf({ ...ENOUGH, SERVICE_ENVIRONMENT: 'production', ACCEPTED_CLEARTEXT: 'smtp,postgres' })).toEqual([
      'PERSON_URL must be the public https:// address in production',
      'BASE_URL must be the public https:// address in production',
      'COMPLIANCE_URL must be the public https:// address in production',
      'SIGNING_URL must be the public https:// address in production',
      'CONSOLE_URL must be the public https:// address in production',
    ]);
  });

  it('reports every problem at once, and no secret', () => {
    const problems = problemsOf({ ...ENOUGH, SECRETS_KEY: 'hunter2', DATABASE_URL: 'hunter3', PORT: 'x' });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toMatch(/hunter/);
  });
});
