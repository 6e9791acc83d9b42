import { randomBytes } from 'node:crypto';
import { type ConfigInvalid, loadConfig } from '@constancia/config';
import { describe, expect, it } from 'vitest';
import { DispatcherConfig } from './config.ts';

const ENOUGH = {
  SERVICE_ENVIRONMENT: 'sandbox',
  DATABASE_URL: 'postgres://platform_app:secret@db:5432/constancia',
  REDIS_URL: 'redis://redis:6379',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  QUEUE_SEALING_KEY: randomBytes(32).toString('base64'),
};

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(DispatcherConfig, env);
    return [];
  } catch (error) {
    return (error as ConfigInvalid).problems;
  }
}

describe('the configuration of the webhook dispatcher', () => {
  it('has defaults for all but its stores and its keys', () => {
    expect(loadConfig(DispatcherConfig, ENOUGH)).toMatchObject({
      webhookAllowLoopback: false,
      webhookPorts: ['443', '8443'],
      retentionDays: 30,
      drainSeconds: 25,
    });
  });

  it('needs a sender as soon as there is a mail server', () => {
    const mailing = { ...ENOUGH, SMTP_URL: 'smtp://mail:25' };
    expect(problemsOf(mailing)).toEqual([expect.stringMatching(/^MAIL_FROM must be/)]);
    expect(problemsOf({ ...mailing, MAIL_FROM: 'no-reply@constancia.example' })).toEqual([]);
  });

  it('needs a mail server in production: owners of disabled endpoints are notified by mail', () => {
    const production = { ...ENOUGH, SERVICE_ENVIRONMENT: 'production', ACCEPTED_CLEARTEXT: 'redis,postgres' };
    expect(problemsOf(production)).toEqual([expect.stringMatching(/^SMTP_URL must be/)]);
    const mailing = { SMTP_URL: 'smtps://mail.example:465', MAIL_FROM: 'no-reply@constancia.example' };
    expect(problemsOf({ ...production, ...mailing })).toEqual([]);
  });

  it('refuses webhooks to loopback in production', () => {
    const loopback = {
      ...ENOUGH,
      SMTP_URL: 'smtp://mail:25',
      MAIL_FROM: 'a@b.example',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
    };
    expect(problemsOf(loopback)).toEqual([]);
    expect(
      problemsOf({
        ...loopback,
        SERVICE_ENVIRONMENT: 'production',
        ACCEPTED_CLEARTEXT: 'smtp,redis,postgres',
      }),
    ).toEqual(['WEBHOOK_ALLOW_LOOPBACK must be false in production']);
  });

  it('needs four connections to Postgres', () => {
    expect(problemsOf({ ...ENOUGH, DATABASE_POOL_SIZE: '4' })).toEqual([]);
    expect(problemsOf({ ...ENOUGH, DATABASE_POOL_SIZE: '3' })).toEqual(['DATABASE_POOL_SIZE must not be less than 4']);
  });
});
