import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { ChargedWork } from '@constancia/credit-ledger';
import { createHttpApp, openapiFile, rateLimiterOf } from '@constancia/http';
import { ExpiredIdempotencyKeys, Idempotency } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { PdfPool } from '@constancia/pdf-sealing';
import { Database, migrated } from '@constancia/persistence';
import { type Queues, queuesOf } from '@constancia/queue';
import { type ObjectStore, objectStore } from '@constancia/storage';
import { createLogger, Metrics } from '@constancia/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SigningModule, type SigningParts } from './app.module.ts';
import { Circuits } from './circuits/circuits.ts';
import type { SigningConfig } from './config.ts';
import { SIGNING } from './migrations/all.ts';
import { PdfStore } from './pdf-store.ts';
import { SealingHints } from './signatures/sealing-hints.ts';
import { SignatureRequest } from './signatures/signature-request.entity.ts';
import { Signatures } from './signatures/signatures.ts';
import { SigningKeys } from './signing-keys/signing-keys.ts';
import { SigningKey } from './signing-keys/signing-key.entity.ts';
import { Template } from './templates/template.entity.ts';
import { Templates } from './templates/templates.ts';
import { Proofs } from './verify/proof-view.ts';
import { PublicDocuments } from './verify/public-documents.ts';

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
  const limiter = rateLimiterOf(config, { logger, metrics });
  const queues = queuesOf('signing', config, { logger, metrics });
  const objects = objectStore(config);
  const pdfs = new PdfPool({
    processes: config.inspectionProcesses,
    memoryMb: config.inspectionMemoryMb,
    deadlineMs: config.inspectionDeadlineMs,
  });
  const expiredKeys = new ExpiredIdempotencyKeys(database, 'signing', logger);
  return createHttpApp(SigningModule.of(partsOf(config, { database, queues, objects, pdfs })), {
    name: 'signing',
    config,
    authenticator: new ApiKeyAuthenticator(keys),
    limiter,
    openapiFile: openapiFile('signing'),
    readiness: {
      database: migrated(database, SIGNING),
      queue: () => queues.ping(),
      storage: () => objects.ping(),
    },
    parts: { opened: [database, objects, limiter, pdfs, queues], background: [keys, expiredKeys] },
    logger,
    metrics,
  });
}

interface Opened {
  database: Database;
  queues: Queues;
  objects: ObjectStore;
  pdfs: PdfPool;
}

function partsOf(config: SigningConfig, { database, queues, objects, pdfs }: Opened): SigningParts {
  const signingKeys = new SigningKeys(database);
  const idempotency = new Idempotency('signing', SecretBox.fromText(config.secretsKey));
  return {
    config,
    templates: new Templates(database),
    signatures: new Signatures(database),
    circuits: new Circuits(database),
    signingKeys,
    publicDocuments: new PublicDocuments(database),
    proofs: new Proofs(signingKeys, config.signingUrl),
    work: new ChargedWork(database, 'signing', idempotency),
    sealing: new SealingHints(queues),
    store: new PdfStore(objects),
    pdfs,
  };
}
