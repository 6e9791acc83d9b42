import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';

let started: Promise<DevKms> | undefined;

/** The development KMS of this test process: one for all apps that it runs, so that they open each other's keys. */
export function testKms(): Promise<DevKms> {
  process.env.AWS_ACCESS_KEY_ID ??= 'development';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'development';
  started ??= start();
  return started;
}

/** What an app needs to know of it. */
export async function kmsVariables(): Promise<Record<string, string>> {
  return { KMS_ENDPOINT: (await testKms()).url, DATA_KEY_ID: 'alias/constancia-data', AWS_REGION: 'us-east-1' };
}

async function start(): Promise<DevKms> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'test-kms-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return startDevKms({ dir: folder });
}
