import { ConfigInvalid } from '@constancia/config';
import { closeAll } from '@constancia/kernel';
import { DataKeys, SigningKms } from '@constancia/kms';
import { PdfPool } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { queuesOf, workOnLeases } from '@constancia/queue';
import { objectStore } from '@constancia/storage';
import { type Logger, Metrics, type RunningWorker } from '@constancia/telemetry';
import { BATCH, placesFor } from './batches.ts';
import type { SealingConfig } from './config.ts';
import { configuredChain } from './configured-chain.ts';
import { DocumentSeal } from './document-seal.ts';
import { DocumentSigner } from './document-signer.ts';
import { MemoryRoom } from './memory-room.ts';
import { SealingMetrics } from './metrics.ts';
import { CompletedDocuments } from './completed-documents.ts';
import { Envelopes } from './envelopes.ts';
import { LEASE_SECONDS } from './sealing-table.ts';
import { SealingRun } from './sealing-run.ts';
import { SealingSources } from './sealing-sources.ts';
import { SignatureRequests } from './signature-requests.ts';
import { CertificateOfAnotherKey, SigningCertificates } from './signing-certificates.ts';
import { TemplateBytes } from './template-bytes.ts';
import { TimestampAuthority } from './timestamp-authority.ts';

const MB = 1024 * 1024;
/** Interface document, "Limits": the sealing worker runs every 3 seconds. */
const SWEEP_EVERY_MS = 3_000;

/** Starts the sealing run: hints wake it at once, the sweep wakes it for what no hint did. */
export async function startSealingWorker(config: SealingConfig, logger: Logger): Promise<RunningWorker> {
  const chain = configuredChain(config.certificateChainFile);
  const database = await Database.connect({
    url: config.databaseUrl,
    applicationName: 'sealing-worker',
    poolSize: config.databasePoolSize,
  });
  const metrics = new Metrics({ app: 'sealing-worker', runtime: true });
  const objects = objectStore(config);
  const kms = new SigningKms({
    region: config.awsRegion,
    endpoint: config.kmsEndpoint,
    maxPerSecond: config.kmsMaxPerSecond,
  });
  const dataKeys = new DataKeys(config.dataKeyId, { region: config.awsRegion, endpoint: config.kmsEndpoint });
  const personal = new PersonalData({ schema: 'signing', database, dataKeys });
  const certificates = new SigningCertificates({ kms, database, chain, subject: config.certificateSubject });
  const signer = new DocumentSigner({ kms, keyId: config.kmsKeyId, database, certificates });
  const authority = config.tsaUrl === undefined ? undefined : new TimestampAuthority(config.tsaUrl);
  const pdfs = new PdfPool(config);
  const sources = [
    new Envelopes(database, personal, new CompletedDocuments(pdfs, config.signUrl)),
    new SignatureRequests(database, personal, config.giveUpSeconds),
  ];
  const sealingMetrics = new SealingMetrics(metrics, sources);
  const queues = queuesOf('sealing-worker', config, { logger, metrics });
  await signer.check().catch((error: unknown) => {
    if (error instanceof CertificateOfAnotherKey) throw new ConfigInvalid([error.message]);
    throw error;
  });
  const sealingRun = new SealingRun({
    templates: new TemplateBytes(objects, { maxBytes: config.templateCacheMb * MB }),
    pdfs,
    room: new MemoryRoom(config.documentsMb * MB),
    documentSeal: new DocumentSeal(signer, authority, sealingMetrics),
    objects,
    queues,
    metrics: sealingMetrics,
    logger,
    giveUpSeconds: config.giveUpSeconds,
  });
  void pdfs.start().catch((error: unknown) => logger.error({ error }, 'a process that draws on PDFs does not start'));
  const working = workOnLeases(queues, {
    queue: 'sealing',
    hintsAtOnce: BATCH,
    sweepEveryMs: SWEEP_EVERY_MS,
    store: new SealingSources(sources),
    leaseSeconds: LEASE_SECONDS,
    carryOut: (work) => sealingRun.run(work),
    places: placesFor(config.kmsMaxPerSecond),
    batch: BATCH,
    drainMs: config.drainSeconds * 1_000,
    logger,
  });
  return {
    metrics,
    // The queue is no part of it: without it the worker goes by its own clock.
    readiness: { database: () => database.ping(), storage: () => objects.ping() },
    close: () =>
      closeAll([
        () => working.close(),
        () => pdfs.close(),
        () => kms.close(),
        () => dataKeys.close(),
        () => authority?.close(),
        () => objects.close(),
        () => database.close(),
      ]),
  };
}
