import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import {
  type DocumentStepInput,
  type FaceStepInput,
  type StepOutcome,
  stepResultContext,
  SUBJECT_RECORD_CONTEXT,
  subjectKeyContext,
} from '@constancia/contracts';
import { ConfigModule } from '@constancia/config';
import { openRecord, sealRecord, SecretBox, uuidv7 } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import { Queues } from '@constancia/queue';
import { FilesystemStore, sealedObjectKey, sealObject } from '@constancia/storage';
import { createLogger, Logger } from '@constancia/telemetry';
import { eventually, TEST_QUEUE_SEALING_KEY, type TestDatabase, type TestTenant } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { BiometricsWorkerModule } from './biometrics-worker.module.ts';
import { BiometricsConfig } from './config.ts';
import { EnginePool } from './engines/engine-pool.ts';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';

const DATA_KEY = 'alias/constancia-data';

/** The services that a worker needs, in a folder of their own. */
export interface WorkerServices {
  kms: DevKms;
  keys: DataKeys;
  objects: FilesystemStore;
  storageDir: string;
  close(): Promise<void>;
}

export async function workerServices(): Promise<WorkerServices> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'biometrics-'));
  process.env.AWS_ACCESS_KEY_ID ??= 'development';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'development';
  const kms = await startDevKms({ dir: path.join(folder, 'kms') });
  const keys = new DataKeys(DATA_KEY, { region: 'us-east-1', endpoint: kms.url });
  const storageDir = path.join(folder, 'objects');
  return {
    kms,
    keys,
    storageDir,
    objects: new FilesystemStore({ dir: storageDir }),
    async close() {
      keys.close();
      await kms.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The environment of a worker that is a process of its own. */
export function workerEnvironment(store: TestDatabase, around: WorkerServices): Record<string, string> {
  return {
    SERVICE_ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    DATABASE_URL: store.app('identity'),
    QUEUE_DATABASE_URL: store.queueUrl,
    QUEUE_SEALING_KEY: TEST_QUEUE_SEALING_KEY,
    STORAGE_DIR: around.storageDir,
    KMS_ENDPOINT: around.kms.url,
    DATA_KEY_ID: DATA_KEY,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'development',
    AWS_SECRET_ACCESS_KEY: 'development',
  };
}

export interface WorkerChanges extends Partial<BiometricsConfig> {
  logger?: Logger;
  engines?: EnginePool;
}

/** A worker in this process on a test's database. */
export async function runningWorker(
  store: TestDatabase,
  around: WorkerServices,
  { logger, engines, ...changes }: WorkerChanges = {},
): Promise<INestApplicationContext> {
  const config = Object.assign(new BiometricsConfig(), {
    environment: 'sandbox',
    drainSeconds: 25,
    databaseUrl: store.app('identity'),
    databasePoolSize: 4,
    queueDatabaseUrl: store.queueUrl,
    queueSealingKey: TEST_QUEUE_SEALING_KEY,
    storageDir: around.storageDir,
    awsRegion: 'us-east-1',
    kmsEndpoint: around.kms.url,
    dataKeyId: DATA_KEY,
    engine: 'local',
    processes: 1,
    memoryMb: 1_024,
    deadlineMs: 40_000, // the machine of a test run has much else to do
    remoteAtOnce: 4,
    ...changes,
  } satisfies Partial<BiometricsConfig>);
  const silent = createLogger({ app: 'biometrics-worker', level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const building = Test.createTestingModule({ imports: [ConfigModule.forRoot(config), BiometricsWorkerModule] });
  building.overrideProvider(Logger).useValue(logger ?? silent);
  if (engines) building.overrideProvider(EnginePool).useValue(engines);
  return (await building.compile()).init();
}

/** A log of everything, as lines. */
export function notingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ app: 'biometrics-worker', level: 'trace', stream }), lines };
}

export interface StoredSubject {
  id: string;
  tenantId: string;
  key: Buffer;
}

/** A subject as the platform keeps it. */
export async function storedSubject(
  store: TestDatabase,
  around: WorkerServices,
  tenant: TestTenant,
  documentNumber = '1098765432',
): Promise<StoredSubject> {
  const id = uuidv7();
  const { plaintext, wrapped } = await around.keys.generate(subjectKeyContext(tenant.id, id));
  const record = { document_number: documentNumber, full_name: null, birth_date: null, email: null, phone: null };
  const owner = { tenantId: tenant.id, subjectId: id };
  await store.query(
    `insert into identity.subject (id, tenant_id, document_type, document_country, wrapped_key, sealed)
     values ($1, $2, 'CC', 'CO', $3, $4)`,
    [id, tenant.id, wrapped, sealRecord(plaintext, owner, SUBJECT_RECORD_CONTEXT, JSON.stringify(record))],
  );
  return { id, tenantId: tenant.id, key: plaintext };
}

/** A picture that was uploaded; answers the asset's id. */
export async function storedPicture(
  store: TestDatabase,
  around: WorkerServices,
  subject: StoredSubject,
  kind: 'doc_front' | 'doc_back' | 'selfie' | 'liveness_frame',
  bytes: Uint8Array,
): Promise<string> {
  const id = uuidv7();
  const name = { tenantId: subject.tenantId, subjectId: subject.id, assetId: id, version: 1 };
  const sealed = sealObject(subject.key, Buffer.from(bytes), name);
  await around.objects.put(sealedObjectKey(name), sealed, { contentType: 'application/octet-stream' });
  await store.query(
    `insert into identity.asset (id, tenant_id, subject_id, kind, status, version, sha256, bytes, expires_at, stored_at)
     values ($1, $2, $3, $4, 'stored', 1, $5, $6, now(), now())`,
    [id, subject.tenantId, subject.id, kind, createHash('sha256').update(bytes).digest(), bytes.length],
  );
  return id;
}

/** A run that waits, as `advance` leaves it; answers its id. */
export async function queuedRun(
  store: TestDatabase,
  subject: StoredSubject,
  work: { type: 'document'; input: DocumentStepInput } | { type: 'face'; input: FaceStepInput },
  deadlineMs = 120_000,
): Promise<string> {
  const [flow, session, run] = [uuidv7(), uuidv7(), uuidv7()];
  await store.query(
    `insert into identity.flow (id, tenant_id, code, type, version, status, steps)
     values ($1, $2, $3, 'onboarding', 1, 'draft', '[]')`,
    [flow, subject.tenantId, flow],
  );
  await store.query(
    `insert into identity.flow_session (id, tenant_id, flow_id, subject_id, document_type, document_country, token_hash,
            current_step, expires_at)
     values ($1, $2, $3, $4, 'CC', 'CO', $5, 1, now() + interval '1 day')`,
    [session, subject.tenantId, flow, subject.id, randomBytes(32)],
  );
  await store.query(
    `insert into identity.step_run (id, tenant_id, session_id, subject_id, step_type, attempt, input_hash, input, deadline_at)
     values ($1, $2, $3, $4, $5, 1, $6, $7, now() + make_interval(secs => $8 / 1000.0))`,
    [run, subject.tenantId, session, subject.id, work.type, randomBytes(32), JSON.stringify(work.input), deadlineMs],
  );
  return run;
}

/** The queue as the platform uses it. */
export function hints(store: TestDatabase): Queues {
  const logger = createLogger({ app: 'platform', level: 'silent' });
  const sealingKey = SecretBox.fromText(TEST_QUEUE_SEALING_KEY);
  return new Queues({ app: 'platform', databaseUrl: store.queueUrl, sealingKey, logger });
}

export interface StoredRun {
  id: string;
  status: string;
  outcome: StepOutcome | null;
  reason: string | null;
  engine: string | null;
  model_version: string | null;
  result_sealed: Buffer | null;
  lease_token: string | null;
  claims: number;
}

export async function runOf(store: TestDatabase, id: string): Promise<StoredRun> {
  const [row] = await store.query<StoredRun>('select * from identity.step_run where id = $1', [id]);
  return row as StoredRun;
}

/** Waits until a run is done. */
export function ended(store: TestDatabase, id: string, withinMs = 100_000): Promise<StoredRun> {
  return eventually(async () => {
    const run = await runOf(store, id);
    if (run.status !== 'done') throw new Error(`the run is ${run.status}`);
    return run;
  }, withinMs);
}

/** What a run found, opened. */
export function resultOf(subject: StoredSubject, run: StoredRun): Record<string, unknown> {
  const owner = { tenantId: subject.tenantId, subjectId: subject.id };
  const text = openRecord(subject.key, owner, stepResultContext(run.id), run.result_sealed as Buffer);
  return JSON.parse(text) as Record<string, unknown>;
}
