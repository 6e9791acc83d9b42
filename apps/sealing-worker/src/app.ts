import { ConfigInvalid } from '@constancia/config';
import { SigningKms } from '@constancia/kms';
import { PdfPool } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { queuesOf, sweepRegularly } from '@constancia/queue';
import { objectStore } from '@constancia/storage';
import { type Logger, Metrics, type RunningWorker } from '@constancia/telemetry';
import type { SealingConfig } from './config.ts';
import { configuredChain } from './configured-chain.ts';
import { DocumentSeal } from './document-seal.ts';
import { DocumentSigner } from './document-signer.ts';
import { MemoryRoom } from './memory-room.ts';
import { SealingMetrics } from './metrics.ts';
import { SealRequest } from './seal-request.ts';
import { SealingRequests } from './sealing-requests.ts';
import { BATCH, placesFor, SealingRun } from './sealing-run.ts';
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
  const requests = new SealingRequests(database);
  const certificates = new SigningCertificates({ kms, database, chain, subject: config.certificateSubject });
  const signer = new DocumentSigner({ kms, keyId: config.kmsKeyId, database, certificates });
  const authority = config.tsaUrl === undefined ? undefined : new TimestampAuthority(config.tsaUrl);
  const sealingMetrics = new SealingMetrics(metrics, () => requests.backlog());
  const pdfs = new PdfPool(config);
  const queues = queuesOf('sealing-worker', config, { logger, metrics });
  await signer.check().catch((error: unknown) => {
    if (error instanceof CertificateOfAnotherKey) throw new ConfigInvalid([error.message]);
    throw error;
  });
  const sealRequest = new SealRequest({
    requests,
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
  const run = new SealingRun({
    requests,
    seal: (request) => sealRequest.run(request),
    places: placesFor(config.kmsMaxPerSecond),
    logger,
  });

  void pdfs.start().catch((error: unknown) => logger.error({ error }, 'a process that draws on PDFs does not start'));
  const stop = new AbortController();
  queues.consume('sealing', () => run.wake(), { concurrency: BATCH });
  const sweeps = sweepRegularly(queues, {
    queue: 'sealing',
    everyMs: SWEEP_EVERY_MS,
    sweep: () => run.wake(),
    signal: stop.signal,
    logger,
  });
  return {
    metrics,
    // The queue is no part of it: without it the worker goes by its own clock.
    readiness: { database: () => database.ping(), storage: () => objects.ping() },
    async close() {
      stop.abort();
      await sweeps;
      await run.close();
      await queues.close({ drainMs: config.drainSeconds * 1_000 });
      await pdfs.close();
      kms.close();
      await authority?.close();
      await objects.close();
      await database.close();
    },
  };
}
