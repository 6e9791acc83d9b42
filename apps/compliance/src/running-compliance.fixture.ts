import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '@constancia/config';
import { TEST_QUEUE_SEALING_KEY, TEST_SECRETS_KEY, type TestDatabase } from '@constancia/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './app.module.ts';
import { ComplianceConfig } from './config.ts';
import { type CallApp, callsTo } from '@constancia/testing/calls';
import { kmsVariables } from '@constancia/testing/test-kms';

export interface RunningCompliance {
  app: NestFastifyApplication;
  url: string;
  call: CallApp;
  close(): Promise<void>;
}

/** Starts the compliance app in this process, with limits that tests do not reach. */
export async function runningCompliance(
  database: Pick<TestDatabase, 'app' | 'queueUrl'>,
  env: Record<string, string> = {},
): Promise<RunningCompliance> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-compliance-'));
  const config = loadConfig(ComplianceConfig, {
    SERVICE_ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: 'http://platform.test',
    DATABASE_URL: database.app('compliance'),
    QUEUE_DATABASE_URL: database.queueUrl,
    SECRETS_KEY: TEST_SECRETS_KEY,
    QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
    STORAGE_DIR: folder,
    RATE_LIMIT_TENANT: '100000',
    RATE_LIMIT_IP: '100000',
    RATE_LIMIT_WRONG_KEY: '100000',
    LOG_LEVEL: 'error',
    ...(env.SERVICE_ENVIRONMENT === 'production' ? { DATA_KEY_ID: 'alias/data' } : await kmsVariables()),
    ...env,
  });
  const app = await createApp(config);
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return {
    app,
    url,
    call: callsTo('compliance', url),
    async close() {
      await app.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
