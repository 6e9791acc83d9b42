import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '@constancia/config';
import { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, type TestDatabase } from '@constancia/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './app.module.ts';
import { PlatformConfig } from './config.ts';
import { type CallApp, callsTo } from '@constancia/testing/calls';

export type { Answer, Call } from '@constancia/testing/calls';

export interface RunningPlatform {
  app: NestFastifyApplication;
  url: string;
  call: CallApp;
  close(): Promise<void>;
}

/** An address that no other test calls from, so that one test's limits are not another's. */
export function someIp(): string {
  const byte = () => Math.floor(Math.random() * 254) + 1;
  return `198.${byte()}.${byte()}.${byte()}`;
}

/**
 * Starts the platform in this process, behind one trusted proxy: each call says in X-Forwarded-For whom it comes from. Every
 * answer is held against docs/api/platform.v1.yaml.
 */
export async function runningPlatform(
  database: Pick<TestDatabase, 'app' | 'queueUrl'>,
  env: Record<string, string> = {},
): Promise<RunningPlatform> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-platform-'));
  const config = loadConfig(PlatformConfig, {
    SERVICE_ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    PORT: '0',
    CONSOLE_PORT: '0',
    PERSON_PORT: '0',
    BASE_URL: 'http://platform.test',
    TRUSTED_PROXY_HOPS: '1',
    DATABASE_URL: database.app('platform'),
    IDENTITY_DATABASE_URL: database.app('identity'),
    QUEUE_DATABASE_URL: database.queueUrl,
    SECRETS_KEY: TEST_SECRETS_KEY,
    QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Constancia <no-reply@constancia.example>',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    DATA_KEY_ID: 'alias/constancia-data',
    ...(env.SERVICE_ENVIRONMENT === 'production' ? {} : { KMS_ENDPOINT: 'http://127.0.0.1:1' }),
    STORAGE_DIR: folder,
    LOG_LEVEL: 'error',
    ...env,
  });
  const app = await createApp(config);
  await app.listen(config.port, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const call = callsTo('platform', url, () => ({ 'x-forwarded-for': someIp() }));
  const close = async () => {
    await app.close();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  return { app, url, call, close };
}
