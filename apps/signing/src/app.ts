import { existsSync } from 'node:fs';
import path from 'node:path';
import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { ChargedWork } from '@constancia/credit-ledger';
import { createHttpApp } from '@constancia/http';
import { Idempotency } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { PdfPool } from '@constancia/pdf-sealing';
import { Database, requireMigrated } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { RateLimiter } from '@constancia/rate-limit';
import { type ObjectStore, objectStore } from '@constancia/storage';
import { createLogger, type Logger, Metrics } from '@constancia/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SigningModule, type SigningParts } from './app.module.ts';
import type { SigningConfig } from './config.ts';
import { SIGNING } from './migrations/all.ts';
import { PdfStore } from './pdf-store.ts';
import { ExpiredIdempotencyKeys } from './forget-expired-keys.ts';
import { SealingHints } from './signatures/sealing-hints.ts';
import { SignatureRequest } from './signatures/signature-request.entity.ts';
import { Signatures } from './signatures/signatures.ts';
import { SigningKeys } from './signing-keys/signing-keys.ts';
import { SigningKey } from './signing-keys/signing-key.entity.ts';
import { Template } from './templates/template.entity.ts';
import { Templates } from './templates/templates.ts';

/** Beside the bundle, or in the repository. */
const OPENAPI_FILES = ['api/signing.v1.yaml', '../../../docs/api/signing.v1.yaml'];

/** The signing app: built, not listening. Does not fail while Postgres or the queue is away. Closing it closes what it opened. */
export async function createApp(config: SigningConfig): Promise<NestFastifyApplication> {
  const logger = createLogger({ app: 'signing', level: config.logLevel });
  const metrics = new Metrics({ app: 'signing', runtime: true });
  const database = await Database.connect({
    url: config.databaseUrl,
    entities: [Template, SignatureRequest, SigningKey],
    poolSize: config.databasePoolSize,
    applicationName: 'signing',
  });
  const keys = new ApiKeys(database, { environment: config.environment });
  const limiter = rateLimiter(config, logger, metrics);
  const queues = queuesOf(config, logger, metrics);
  const objects = objectStore(config);
  const pdfs = new PdfPool({
    processes: config.inspectionProcesses,
    memoryMb: config.inspectionMemoryMb,
    deadlineMs: config.inspectionDeadlineMs,
  });
  const expiredKeys = new ExpiredIdempotencyKeys(database, logger);
  await keys.start();
  expiredKeys.start();

  const app = await createHttpApp(SigningModule.of(partsOf(config, { database, queues, objects, pdfs })), {
    name: 'signing',
    config,
    authenticator: new ApiKeyAuthenticator(keys),
    limiter,
    openapiFile: OPENAPI_FILES.map((file) => path.join(import.meta.dirname, file)).find((file) => existsSync(file)),
    readiness: {
      database: migrated(database),
      queue: () => queues.ping(),
      storage: () => objects.ping(),
    },
    logger,
    metrics,
  });
  closeWith(app, [expiredKeys, keys, queues, pdfs, limiter, objects, database]);
  return app;
}

function rateLimiter(config: SigningConfig, logger: Logger, metrics: Metrics): RateLimiter {
  const limiter = new RateLimiter({
    redisUrl: config.redisUrl,
    onChange: (degraded) =>
      logger.warn(degraded ? 'rate limits count in this process only' : 'rate limits count in Redis'),
  });
  metrics.gauge('rate_limit_degraded', '1 while Redis is configured and not used', [], (gauge) => {
    gauge.set(limiter.degraded());
  });
  return limiter;
}

function queuesOf(config: SigningConfig, logger: Logger, metrics: Metrics): Queues {
  const lost = metrics.counter('queue_hints_lost_total', 'Hints that could not be sent; sweeps find their work', [
    'queue',
  ]);
  return new Queues({
    app: 'signing',
    redisUrl: config.redisUrl,
    databaseUrl: config.queueDatabaseUrl,
    sealingKey: SecretBox.fromText(config.queueSealingKey),
    logger,
    onHintLost: (queue, count) => lost.inc({ queue }, count),
  });
}

interface Opened {
  database: Database;
  queues: Queues;
  objects: ObjectStore;
  pdfs: PdfPool;
}

function partsOf(config: SigningConfig, { database, queues, objects, pdfs }: Opened): SigningParts {
  const idempotency = new Idempotency('signing', SecretBox.fromText(config.secretsKey));
  return {
    config,
    templates: new Templates(database),
    signatures: new Signatures(database),
    signingKeys: new SigningKeys(database),
    work: new ChargedWork(database, 'signing', idempotency),
    sealing: new SealingHints(queues),
    store: new PdfStore(objects),
    pdfs,
  };
}

/** Closes, in this order, what the app opened, once it serves no more requests. */
function closeWith(app: NestFastifyApplication, parts: { close(): Promise<unknown> }[]): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onClose', async () => {
    for (const part of parts) await part.close();
  });
}

/** Ready means: Postgres answers, and its schema has every migration that this build needs. */
function migrated(database: Database): () => Promise<void> {
  let known = false;
  return async () => {
    if (known) return database.ping();
    await requireMigrated((sql) => database.query(sql), SIGNING);
    known = true;
  };
}
