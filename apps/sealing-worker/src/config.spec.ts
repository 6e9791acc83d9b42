import { randomBytes } from 'node:crypto';
import { type ConfigInvalid, loadConfig } from '@constancia/config';
import { describe, expect, it } from 'vitest';
import { SealingConfig } from './config.ts';

/** No SECRETS_KEY: who draws on strangers' PDFs holds no key to secrets. */
const ENOUGH = {
  SERVICE_ENVIRONMENT: 'sandbox',
  DATABASE_URL: 'postgres://signing_app:secret@db:5432/constancia',
  REDIS_URL: 'redis://redis:6379',
  QUEUE_SEALING_KEY: randomBytes(32).toString('base64'),
  S3_BUCKET: 'documents',
  KMS_KEY_ID: 'alias/signing',
  DATA_KEY_ID: 'alias/data',
};

const ACCEPTING = { ACCEPTED_CLEARTEXT: 'redis,postgres' };

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(SealingConfig, env);
    return [];
  } catch (error) {
    return (error as ConfigInvalid).problems;
  }
}

describe('the configuration of the sealing worker', () => {
  it('has defaults for all but its stores and its key', () => {
    expect(loadConfig(SealingConfig, ENOUGH)).toMatchObject({ awsRegion: 'us-east-1', processes: 2, drainSeconds: 25 });
    expect(problemsOf({})).toEqual([
      expect.stringMatching(/^SERVICE_ENVIRONMENT is required/),
      expect.stringMatching(/^DATABASE_URL is required/),
      expect.stringMatching(/^QUEUE_SEALING_KEY is required/),
      expect.stringMatching(/^DATA_KEY_ID is required/),
      expect.stringMatching(/^KMS_KEY_ID is required/),
      expect.stringMatching(/^QUEUE_DATABASE_URL must/),
      expect.stringMatching(/^STORAGE_DIR must/),
    ]);
  });

  it('takes several data keys', () => {
    const keyed = (keys: string) => problemsOf({ ...ENOUGH, DATA_KEY_ID: keys });
    expect(keyed('alias/new,arn:aws:kms:us-east-1:000000000000:key/former')).toEqual([]);
    for (const wrong of ['alias/new, alias/former', 'alias/new,', ',alias/former'])
      expect(keyed(wrong)).toEqual([expect.stringMatching(/^DATA_KEY_ID must be ids, ARNs or aliases/)]);
  });

  it('needs two connections to Postgres', () => {
    expect(problemsOf({ ...ENOUGH, DATABASE_POOL_SIZE: '2' })).toEqual([]);
    expect(problemsOf({ ...ENOUGH, DATABASE_POOL_SIZE: '1' })).toEqual(['DATABASE_POOL_SIZE must not be less than 2']);
  });

  it('signs with the KMS of AWS alone in production', () => {
    const development = { ...ENOUGH, KMS_ENDPOINT: 'http://127.0.0.1:9000' };
    expect(problemsOf(development)).toEqual([]);
    const production = { SERVICE_ENVIRONMENT: 'production', SIGN_URL: 'https://sign.example', ...ACCEPTING };
    expect(problemsOf({ ...development, ...production })).toEqual(['KMS_ENDPOINT must be left out in production']);
  });

  it('knows in production where signers and those who verify go', () => {
    const kms = { SERVICE_ENVIRONMENT: 'production', KMS_ENDPOINT: '' };
    expect(problemsOf({ ...ENOUGH, ...kms })).toContainEqual(
      expect.stringMatching(/^SIGN_URL must be the public https/),
    );
    const http = problemsOf({ ...ENOUGH, ...kms, SIGN_URL: 'http://sign.example' });
    expect(http).toContainEqual(expect.stringMatching(/^SIGN_URL/));
  });

  it('issues its own certificate under a name that is one, and stamps no times, unless it is configured to', () => {
    expect(loadConfig(SealingConfig, ENOUGH)).toMatchObject({
      certificateSubject: 'CN=Constancia, O=Constancia, C=CO',
    });
    expect(loadConfig(SealingConfig, ENOUGH)).not.toHaveProperty('tsaUrl', expect.anything());
    expect(problemsOf({ ...ENOUGH, SIGNING_CERTIFICATE_SUBJECT: 'Banco' })).toEqual([
      expect.stringMatching(/^SIGNING_CERTIFICATE_SUBJECT is no name: .* this is none: Banco/),
    ]);
    expect(problemsOf({ ...ENOUGH, TSA_URL: 'tsa.example' })).toEqual([expect.stringMatching(/^TSA_URL must/)]);
    expect(problemsOf({ ...ENOUGH, TSA_URL: 'http://tsa.example/tsr' })).toEqual([]);
  });
});
