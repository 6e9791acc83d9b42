import { describe, expect, it } from 'vitest';
import {
  ConfigInvalid,
  ProcessConfig,
  StoresConfig,
  describeConfig,
  loadConfig,
  withObjectStore,
  withSecretsKey,
  withWebhookTargets,
} from './index.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const STORES = {
  SERVICE_ENVIRONMENT: 'sandbox',
  DATABASE_URL: 'postgres://app:secret@db:5432/constancia',
  REDIS_URL: 'redis://redis:6379',
  QUEUE_SEALING_KEY: KEY,
};

class FullConfig extends withObjectStore(withWebhookTargets(withSecretsKey(StoresConfig))) {}

const FULL = { ...STORES, SECRETS_KEY: `${KEY}, ${KEY}`, STORAGE_DIR: '/documents' };

function problemsOf(config: new () => object, env: Record<string, string>): string[] {
  try {
    loadConfig(config, env);
    return [];
  } catch (error) {
    return (error as ConfigInvalid).problems;
  }
}

describe('what processes share of their configuration', () => {
  it('starts with the defaults alone, where nothing is stored and its environment is set', () => {
    expect(loadConfig(ProcessConfig, { SERVICE_ENVIRONMENT: 'sandbox' })).toEqual({
      environment: 'sandbox',
      acceptedCleartext: [],
      opsHosts: [],
      host: '0.0.0.0',
      opsPort: 0,
      logLevel: 'info',
      drainSeconds: 25,
    });
  });

  it('has no default environment: it does not start without one', () => {
    expect(problemsOf(ProcessConfig, {})).toEqual([
      expect.stringMatching(/^SERVICE_ENVIRONMENT is required: sandbox or production/),
    ]);
  });

  it('wants the secret of a bucket’s own key with that key', () => {
    expect(problemsOf(FullConfig, { ...FULL, S3_ACCESS_KEY_ID: 'key' })).toEqual([
      'S3_SECRET_ACCESS_KEY is needed with S3_ACCESS_KEY_ID',
    ]);
    expect(problemsOf(FullConfig, { ...FULL, S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' })).toEqual([]);
  });

  it('needs a queue: Redis, or Postgres without it', () => {
    const { REDIS_URL: _, ...rest } = STORES;
    expect(problemsOf(StoresConfig, STORES)).toEqual([]);
    expect(problemsOf(StoresConfig, rest)).toEqual([
      'QUEUE_DATABASE_URL must be a postgres:// address, as long as there is no REDIS_URL',
    ]);
  });

  it('takes a cluster of Redis, and says what is wrong with one, without its password', () => {
    const problems = (address: string) => problemsOf(StoresConfig, { ...STORES, REDIS_URL: address });
    expect(problems('rediss://:hunter2@node-1:6379, rediss://:hunter2@node-2:6379')).toEqual([]);
    expect(problems('rediss://:hunter2@nodes:6379?cluster=true')).toEqual([]);
    expect(problems('rediss://:hunter2@node-1:6379,redis://:hunter2@node-2:6379')).toEqual([
      'REDIS_URL mixes redis:// and rediss://: the nodes of a cluster have one scheme',
    ]);
    expect(problems('redis:6379')).toEqual([
      expect.stringMatching(/^REDIS_URL must be a redis:\/\/ or rediss:\/\/ address/),
    ]);
  });

  it('takes on what a process stores and sends, in any combination', () => {
    expect(loadConfig(FullConfig, FULL)).toMatchObject({
      environment: 'sandbox',
      storageDir: '/documents',
      s3ForcePathStyle: false,
      webhookAllowLoopback: false,
      webhookPorts: ['443', '8443'],
    });
    expect(describeConfig(StoresConfig).map(({ name }) => name)).not.toContain('SECRETS_KEY');
  });

  it('needs a folder for documents, or a bucket', () => {
    const { STORAGE_DIR: _, ...rest } = FULL;
    expect(problemsOf(FullConfig, rest)).toEqual(['STORAGE_DIR must name a folder; it is needed without S3_BUCKET']);
    expect(problemsOf(FullConfig, { ...rest, S3_BUCKET: 'documents' })).toEqual([]);
  });

  it('refuses webhooks to loopback in production', () => {
    expect(problemsOf(FullConfig, { ...FULL, WEBHOOK_ALLOW_LOOPBACK: 'true' })).toEqual([]);
    expect(
      problemsOf(FullConfig, { ...FULL, WEBHOOK_ALLOW_LOOPBACK: 'true', SERVICE_ENVIRONMENT: 'production' }),
    ).toContain('WEBHOOK_ALLOW_LOOPBACK must be false in production');
  });

  it('never shows a key that is wrong', () => {
    expect(problemsOf(FullConfig, { ...FULL, SECRETS_KEY: 'hunter2' })).toEqual([
      expect.stringMatching(/^SECRETS_KEY must be base64 of 32 bytes/),
    ]);
  });
});
