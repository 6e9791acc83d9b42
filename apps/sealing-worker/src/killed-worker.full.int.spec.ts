import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import {
  bundled,
  eventually,
  TEST_QUEUE_SEALING_KEY,
  type TestDatabase,
  testDatabase,
  testTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runningWorker, type WorkerServices, workerServices } from './running-sealing-worker.fixture.ts';
import { envelopeOf, signedEnvelopes, trailOf } from './signed-envelopes.fixture.ts';

let store: TestDatabase;
let around: WorkerServices;
let killed: ChildProcess | undefined;
let worker: INestApplicationContext | undefined;

beforeAll(async () => {
  [store, around] = await Promise.all([testDatabase(), workerServices()]);
});
afterAll(async () => {
  killed?.kill('SIGKILL');
  await worker?.close();
  await Promise.all([store.drop(), around.close()]);
});

/** A worker as a process of its own. */
async function started(): Promise<ChildProcess> {
  const program = await bundled(path.join(import.meta.dirname, 'main.ts'), ['pdf-child']);
  return spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH ?? '',
      LOG_LEVEL: 'silent',
      SERVICE_ENVIRONMENT: 'sandbox',
      HOST: '127.0.0.1',
      OPS_PORT: '0',
      DATABASE_URL: store.app('signing'),
      QUEUE_DATABASE_URL: store.queueUrl,
      QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
      STORAGE_DIR: around.storageDir,
      KMS_ENDPOINT: around.kms.url,
      KMS_KEY_ID: around.kms.keyId,
      DATA_KEY_ID: 'alias/constancia-data',
      AWS_ACCESS_KEY_ID: 'development',
      AWS_SECRET_ACCESS_KEY: 'development',
    },
    stdio: 'ignore',
  });
}

it('a worker killed (-9) with envelopes in progress: another seals each once, when the lease has ended', async () => {
  const tenant = await testTenant(store);
  const ids = await signedEnvelopes(store, around, tenant, { count: 3 });
  around.kms.setMode('hang'); // so that it stands between the claim and the seal
  killed = await started();
  for (const id of ids)
    await eventually(async () => expect((await envelopeOf(store, id)).lease_token).not.toBeNull(), 30_000);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  for (const id of ids) expect(await envelopeOf(store, id)).toMatchObject({ status: 'sealing', attempts: 1 });

  around.kms.setMode('ok');
  worker = await runningWorker(store, around);
  for (const id of ids) {
    await eventually(async () => expect((await envelopeOf(store, id)).status).toBe('sealed'), 60_000);
    expect(await envelopeOf(store, id)).toMatchObject({ attempts: 2, strandings: 1, faults: 0 });
    expect((await trailOf(store, id)).filter(({ type }) => type === 'envelope.sealed')).toHaveLength(1);
  }
}, 120_000);
