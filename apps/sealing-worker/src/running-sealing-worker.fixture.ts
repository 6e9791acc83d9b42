import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { ConfigModule } from '@constancia/config';
import { SIGNING_CONTEXT } from '@constancia/contracts';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import type { Placeholder } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { Queues } from '@constancia/queue';
import { FilesystemStore } from '@constancia/storage';
import { createLogger, Logger } from '@constancia/telemetry';
import { TEST_QUEUE_SEALING_KEY, type TestDatabase, type TestTenant } from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { PDFDocument } from 'pdf-lib';
import { type DevKms, startDevKms } from '@constancia/dev-servers/dev-kms';
import { SealingWorkerModule } from './sealing-worker.module.ts';
import { SealingConfig } from './config.ts';

/** The services that a worker needs, in a folder of their own. */
export interface WorkerServices {
  kms: DevKms;
  objects: FilesystemStore;
  storageDir: string;
  close(): Promise<void>;
}

export async function workerServices(): Promise<WorkerServices> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sealing-'));
  process.env.AWS_ACCESS_KEY_ID ??= 'development';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'development';
  const kms = await startDevKms({ dir: path.join(folder, 'kms') });
  const storageDir = path.join(folder, 'objects');
  return {
    kms,
    storageDir,
    objects: new FilesystemStore({ dir: storageDir }),
    async close() {
      await kms.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function testConfig(store: TestDatabase, around: WorkerServices, changes: Partial<SealingConfig> = {}): SealingConfig {
  return Object.assign(new SealingConfig(), {
    environment: 'sandbox',
    drainSeconds: 25,
    databaseUrl: store.app('signing'),
    databasePoolSize: 6,
    queueDatabaseUrl: store.queueUrl,
    queueSealingKey: TEST_QUEUE_SEALING_KEY,
    storageDir: around.storageDir,
    awsRegion: 'us-east-1',
    signUrl: 'https://sign.example',
    kmsKeyId: around.kms.keyId,
    dataKeyId: 'alias/constancia-data',
    kmsEndpoint: around.kms.url,
    kmsMaxPerSecond: 1_000,
    certificateSubject: 'CN=Constancia, O=Constancia, C=CO',
    evidenceLevel: 'B-LTA',
    evidenceRenewDays: 30,
    evidenceAllowLoopback: true,
    processes: 2,
    memoryMb: 512,
    deadlineMs: 8_000,
    giveUpSeconds: 900,
    templateCacheMb: 64,
    documentsMb: 256,
    ...changes,
  } satisfies Partial<SealingConfig>);
}

/** A worker in this process on a test's database. */
export async function runningWorker(
  store: TestDatabase,
  around: WorkerServices,
  changes: Partial<SealingConfig> = {},
): Promise<INestApplicationContext> {
  const logger = createLogger({ app: 'sealing-worker', level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const config = ConfigModule.forRoot(testConfig(store, around, changes));
  const building = Test.createTestingModule({ imports: [config, SealingWorkerModule] });
  const worker = await building.overrideProvider(Logger).useValue(logger).compile();
  return worker.init();
}

/** An A4 page. */
export async function blankPdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]);
  return Buffer.from(await document.save());
}

const FULL_NAME: Placeholder = { key: 'full_name', page: 1, x: 72, y: 640, size: 12 };

/** Keeps a template straight in the stores; answers its id. */
export async function storedTemplate(
  store: TestDatabase,
  around: WorkerServices,
  tenant: TestTenant,
  options: { pdf?: Buffer; placeholders?: Placeholder[] } = {},
): Promise<string> {
  const pdf = options.pdf ?? (await blankPdf());
  const sha256 = createHash('sha256').update(pdf).digest();
  const key = `templates/${tenant.id}/${sha256.toString('hex')}.pdf`;
  await around.objects.put(key, pdf, { contentType: 'application/pdf' });
  const id = uuidv7();
  await store.query(
    `insert into signing.template (id, tenant_id, code, name, sha256, size_bytes, storage_key, page_count, placeholders)
     values ($1, $2, $3, $3, $4, $5, $6, 1, $7)`,
    [id, tenant.id, `t-${id}`, sha256, pdf.length, key, JSON.stringify(options.placeholders ?? [FULL_NAME])],
  );
  return id;
}

/** The keys of a tenant's personal data, as the signing app makes them. */
export async function signingKeyring(
  store: TestDatabase,
  around: WorkerServices,
  tenant: TestTenant,
): Promise<TenantKeyring> {
  const database = await Database.connect({ url: store.app('signing'), applicationName: 'test' });
  const dataKeys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: around.kms.url });
  try {
    return await new PersonalData({ schema: 'signing', database, dataKeys }).tenant(tenant.id);
  } finally {
    dataKeys.close();
    await database.close();
  }
}

/** Accepts requests as the signing app does: debit and row, without a hint. Answers their ids. */
export async function acceptedRequests(
  store: TestDatabase,
  tenant: TestTenant,
  templateId: string,
  options: {
    count?: number;
    mergeData?: (nth: number) => Record<string, string>;
    age?: string;
    /** Seals the merge data; left out: it is in the clear, as the release before writes it. */
    keyring?: TenantKeyring;
  } = {},
): Promise<string[]> {
  const ids = Array.from({ length: options.count ?? 1 }, () => uuidv7());
  // Two statements, so that a hundred are there at once.
  await store.query(`select platform_v1.charge($1, 'seal', 'signature', id, 40) from unnest($2::uuid[]) as id`, [
    tenant.id,
    ids,
  ]);
  const values = ids.map((_, nth) => options.mergeData?.(nth) ?? { full_name: `María Ñáñez ${nth}` });
  const sealed = ids.map((id, nth) => {
    const subject = options.keyring?.newSubject(id);
    return subject && { data: subject.key.seal(SIGNING_CONTEXT.mergeData(id), values[nth]), key: subject.wrapped };
  });
  await store.query(
    `insert into signing.signature_request (id, tenant_id, template_id, subject_ref, merge_data, sealed_merge_data, merge_key,
       credits_debited, created_at)
     select r.id, $1, $2, r.subject_ref, r.merge_data, r.sealed, r.key, 40, now() - $3::interval
       from unnest($4::uuid[], $5::text[], $6::jsonb[], $7::bytea[], $8::bytea[])
              as r(id, subject_ref, merge_data, sealed, key)`,
    [
      tenant.id,
      templateId,
      options.age ?? '0 s',
      ids,
      ids.map((_, nth) => `subject-${nth}`),
      values.map((each) => JSON.stringify(options.keyring ? {} : each)),
      sealed.map((each) => each?.data ?? null),
      sealed.map((each) => each?.key ?? null),
    ],
  );
  return ids;
}

/** The queue as the signing app uses it. */
export function hints(store: TestDatabase): Queues {
  const logger = createLogger({ app: 'signing', level: 'silent' });
  const sealingKey = SecretBox.fromText(TEST_QUEUE_SEALING_KEY);
  return new Queues({ app: 'signing', databaseUrl: store.queueUrl, sealingKey, logger });
}

export interface StoredRequest {
  id: string;
  status: string;
  merge_data: Record<string, string>;
  sealed_merge_data: Buffer | null;
  merge_key: Buffer | null;
  credits_refunded: number;
  failure_code: string | null;
  failure_reason: string | null;
  document_sha256: Buffer | null;
  document_key: string | null;
  document_size: number | null;
  kms_key_arn: string | null;
  signature: Buffer | null;
  signature_algorithm: string | null;
  created_at: Date;
  signed_at: Date | null;
  attempts: number;
  faults: number;
  retry_at: Date;
  lease_token: string | null;
}

export async function requestOf(store: TestDatabase, id: string): Promise<StoredRequest> {
  const [row] = await store.query<StoredRequest>('select * from signing.signature_request where id = $1', [id]);
  return row as StoredRequest;
}

/** The events about a request, oldest first. */
export async function eventsOf(store: TestDatabase, requestId: string): Promise<Record<string, unknown>[]> {
  const rows = await store.query<{ body: string }>(
    `select body from platform.event where body::jsonb -> 'payload' ->> 'request_id' = $1 order by event_id`,
    [requestId],
  );
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}
