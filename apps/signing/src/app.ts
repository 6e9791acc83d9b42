import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { ChargedWork } from '@constancia/credit-ledger';
import { createHttpApp } from '@constancia/http';
import { Idempotency } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { PdfPool } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { RateLimiter } from '@constancia/rate-limit';
import { type ObjectStore, objectStore } from '@constancia/storage';
import { createLogger, type Logger, Metrics } from '@constancia/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SigningModule, type SigningParts } from './app.module.ts';
import type { SigningConfig } from './config.ts';
import { PdfStore } from './pdf-store.ts';
import { SealingHints } from './signatures/sealing-hints.ts';
import { SignatureRequest } from './signatures/signature-request.entity.ts';
import { Signatures } from './signatures/signatures.ts';
import { SigningKeys } from './signing-keys/signing-keys.ts';
import { SigningKey } from './signing-keys/signing-key.entity.ts';
import { Template } from './templates/template.entity.ts';
import { Templates } from './templates/templates.ts';

/** What depends on where the program runs. */
export interface Surroundings {
  /** The committed OpenAPI file. */
  openapiFile?: string;
  /** Bundle of the process that reads PDFs; left out: beside the program. */
  pdfChildPath?: string;
  logger?: Logger;
}

/** The signing app, ready to listen. Closing it closes everything that it opened. */
export async function createApp(config: SigningConfig, around: Surroundings = {}): Promise<NestFastifyApplication> {
  const logger = around.logger ?? createLogger({ app: 'signing', level: config.logLevel });
  const metrics = new Metrics({ app: 'signing', runtime: true });
  const database = await Database.connect({
    url: config.databaseUrl,
    entities: [Template, SignatureRequest, SigningKey],
    poolSize: config.databasePoolSize,
    applicationName: 'signing',
  });
  const keys = new ApiKeys(database, { environment: config.environment });
  const limiter = new RateLimiter({ redisUrl: config.redisUrl });
  const queues = queuesOf(config, logger, metrics);
  const objects = objectStore(config);
  const pdfs = new PdfPool({
    processes: config.inspectionProcesses,
    memoryMb: config.inspectionMemoryMb,
    deadlineMs: config.inspectionDeadlineMs,
    childPath: around.pdfChildPath,
  });
  await keys.start();

  const app = await createHttpApp(SigningModule.of(partsOf(config, { database, queues, objects, pdfs })), {
    name: 'signing',
    config,
    authenticator: new ApiKeyAuthenticator(keys),
    limiter,
    openapiFile: around.openapiFile,
    readiness: {
      database: () => database.ping(),
      queue: () => queues.ping(),
      storage: () => objects.ping(),
    },
    logger,
    metrics,
  });
  closeWith(app, [keys, queues, pdfs, limiter, objects, database]);
  return app;
}

function queuesOf(config: SigningConfig, logger: Logger, metrics: Metrics): Queues {
  const lost = metrics.counter('queue_hints_lost_total', 'Hints that could not be sent; the sweeps find their work.');
  return new Queues({
    app: 'signing',
    redisUrl: config.redisUrl,
    databaseUrl: config.queueDatabaseUrl,
    sealingKey: SecretBox.fromText(config.queueSealingKey),
    logger,
    onHintLost: (_name, count) => lost.inc(count),
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
