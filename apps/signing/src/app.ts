import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { ChargedWork, debitsCounter } from '@constancia/credit-ledger';
import { createHttpApp, openapiFile, rateLimiterOf } from '@constancia/http';
import { ExpiredIdempotencyKeys, Idempotency } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { mailAge, Mailer } from '@constancia/mail';
import { PdfPool } from '@constancia/pdf-sealing';
import { Database, migrated } from '@constancia/persistence';
import { type Queues, queuesOf } from '@constancia/queue';
import { type ObjectStore, objectStore } from '@constancia/storage';
import { createLogger, type Logger, Metrics } from '@constancia/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SigningModule, type SigningParts } from './app.module.ts';
import { Circuits } from './circuits/circuits.ts';
import type { SigningConfig } from './config.ts';
import { Envelopes } from './envelopes/envelopes.ts';
import { ExpirySweep } from './envelopes/expiry-sweep.ts';
import { Erasure } from './erasures/erasure.ts';
import { ErasureRequests } from './erasures/erasure-requests.ts';
import { ErasureSweep } from './erasures/erasure-sweep.ts';
import { SignTokens } from './envelopes/sign-tokens.ts';
import { SignerMailLoop } from './mails/signer-mail-loop.ts';
import { SignerMails } from './mails/signer-mails.ts';
import { SIGNING } from './migrations/all.ts';
import { SealActions } from './ops/seal-actions.ts';
import { PdfStore } from './pdf-store.ts';
import { CurrentDocuments } from './sign/current-document.ts';
import { DryRun } from './sign/dry-run.ts';
import { SignersByToken } from './sign/find-signer.ts';
import { OtpCodes } from './sign/otp-codes.ts';
import { RenewedLinks } from './sign/renewed-links.ts';
import { SIGN_PAGES } from './sign/sign-pages.ts';
import { SignerDesk } from './sign/signer-desk.ts';
import { SignerDrafts } from './sign/signer-drafts.ts';
import { ValueDigests } from './sign/value-digests.ts';
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
  const mailer = new Mailer({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  const expiredKeys = new ExpiredIdempotencyKeys(database, 'signing', logger);
  const parts = partsOf(config, { database, queues, objects, pdfs, mailer, logger, metrics });
  const { envelopes, erasure, signerMails, mailLoop } = parts;
  const erasureRequests = new ErasureRequests(erasure, queues);
  const erasureSweep = new ErasureSweep(database, erasure, logger);
  const expirySweep = new ExpirySweep({ envelopes, signerMails, mails: mailLoop, queues, logger });
  return createHttpApp(SigningModule.of(parts), {
    name: 'signing',
    config,
    authenticator: new ApiKeyAuthenticator(keys),
    pathCredentials: parts.signers,
    limiter,
    pageHost: { port: config.signPort, ...SIGN_PAGES },
    openapiFile: openapiFile('signing'),
    readiness: {
      database: migrated(database, SIGNING),
      queue: () => queues.ping(),
      storage: () => objects.ping(),
    },
    actions: new SealActions(database).actions,
    parts: {
      opened: [database, objects, limiter, pdfs, queues, mailer],
      background: [keys, expiredKeys, mailLoop, expirySweep, erasureRequests, erasureSweep],
    },
    logger,
    metrics,
  });
}

interface Opened {
  database: Database;
  queues: Queues;
  objects: ObjectStore;
  pdfs: PdfPool;
  mailer: Mailer;
  logger: Logger;
  metrics: Metrics;
}

function partsOf(config: SigningConfig, opened: Opened): SigningParts {
  const { database, queues, objects, pdfs, mailer, logger, metrics } = opened;
  const box = SecretBox.fromText(config.secretsKey);
  const signUrl = config.signUrl.replace(/\/+$/, '');
  const signingKeys = new SigningKeys(database);
  const idempotency = new Idempotency('signing', box);
  const tokens = new SignTokens(box, signUrl);
  const signerMails = new SignerMails(box);
  const mailLoop = new SignerMailLoop({ database, mailer, mails: signerMails, tokens, logger });
  mailAge(metrics, 'signer', () => mailLoop.oldestSeconds());
  const { sealedLinkDays } = config;
  const signerDrafts = new SignerDrafts(box);
  const signers = new SignersByToken(database, signerDrafts, sealedLinkDays);
  const sealing = new SealingHints(queues);
  const store = new PdfStore(objects);
  const envelopes = new Envelopes(database);
  return {
    config,
    templates: new Templates(database),
    signatures: new Signatures(database),
    circuits: new Circuits(database),
    envelopes,
    erasure: new Erasure({ database, envelopes, signerMails, mails: mailLoop, queues }),
    tokens,
    signerMails,
    mailLoop,
    signingKeys,
    publicDocuments: new PublicDocuments(database),
    proofs: new Proofs(signingKeys, config.signingUrl),
    work: new ChargedWork(database, 'signing', idempotency, debitsCounter(metrics)),
    signers,
    signerDrafts,
    signerDesk: new SignerDesk(database, signers, queues, sealing, mailLoop),
    renewedLinks: new RenewedLinks({ database, tokens, mails: signerMails, mailLoop, sealedLinkDays }),
    valueDigests: ValueDigests.fromText(config.secretsKey),
    otpCodes: OtpCodes.fromText(config.secretsKey),
    currentDocuments: new CurrentDocuments(database, store, pdfs),
    dryRun: new DryRun(store, pdfs),
    queues,
    sealing,
    store,
    pdfs,
  };
}
