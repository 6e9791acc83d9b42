import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { ChargedWork, debitsCounter } from '@constancia/credit-ledger';
import { createHttpApp, openapiFile, rateLimiterOf } from '@constancia/http';
import { ExpiredIdempotencyKeys, Idempotency } from '@constancia/idempotency';
import { besideBundle, SecretBox } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import { mailAge, Mailer } from '@constancia/mail';
import { PdfPool } from '@constancia/pdf-sealing';
import { Database, migrated } from '@constancia/persistence';
import { PersonalData, SealingSweep } from '@constancia/personal-data';
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
import { SignTokens } from './envelope-records/sign-tokens.ts';
import { MailRoom } from './mails/mail-room.ts';
import { SenderOwners } from './mails/sender-owners.ts';
import { SignerMailLoop } from './mails/signer-mail-loop.ts';
import { SignerMails } from './mails/signer-mails.ts';
import { WaitingMails } from './mails/waiting-mails.ts';
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
import { SEALED_TABLES } from './sealing/sealed-tables.ts';
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
  const dataKeys = new DataKeys(config.dataKeyId, { region: config.awsRegion, endpoint: config.kmsEndpoint });
  const personal = new PersonalData({ schema: 'signing', database, dataKeys });
  const expiredKeys = new ExpiredIdempotencyKeys(database, 'signing', logger);
  const sealingSweep = new SealingSweep({ schema: 'signing', database, personal, logger, tables: SEALED_TABLES });
  const parts = partsOf(config, { database, personal, queues, objects, pdfs, mailer, logger, metrics });
  const { envelopes, erasure, signerMails, mailLoop } = parts;
  const erasureRequests = new ErasureRequests(erasure, queues);
  const erasureSweep = new ErasureSweep(database, erasure, logger);
  const waitingMails = new WaitingMails(database, mailLoop, logger);
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
    page: besideBundle(import.meta.url, 'ops-page') ?? besideBundle(import.meta.url, '../../platform/src/ops/page'),
    parts: {
      opened: [database, objects, limiter, pdfs, queues, mailer, { close: async () => dataKeys.close() }],
      background: [keys, expiredKeys, mailLoop, waitingMails, expirySweep, erasureRequests, erasureSweep, sealingSweep],
    },
    logger,
    metrics,
  });
}

interface Opened {
  database: Database;
  personal: PersonalData;
  queues: Queues;
  objects: ObjectStore;
  pdfs: PdfPool;
  mailer: Mailer;
  logger: Logger;
  metrics: Metrics;
}

function partsOf(config: SigningConfig, opened: Opened): SigningParts {
  const { database, personal, queues, objects, pdfs, mailer, logger, metrics } = opened;
  const box = SecretBox.ofSecret(config);
  const signUrl = config.signUrl.replace(/\/+$/, '');
  const signingKeys = new SigningKeys(database);
  const idempotency = new Idempotency('signing', box, (tx, tenantId, id) => personal.answerKey(tx, tenantId, id));
  const tokens = new SignTokens(box, signUrl);
  const mailRoom = new MailRoom(personal, config.mailLimits);
  const signerMails = new SignerMails(box, mailRoom);
  const mailLoop = new SignerMailLoop({ database, personal, mailer, mails: signerMails, tokens, logger });
  mailAge(metrics, 'signer', () => mailLoop.oldestSeconds());
  const { sealedLinkDays } = config;
  const signerDrafts = new SignerDrafts(box);
  const signers = new SignersByToken(database, personal, signerDrafts, sealedLinkDays);
  const sealing = new SealingHints(queues);
  const store = new PdfStore(objects);
  const envelopes = new Envelopes(database, personal);
  return {
    config,
    personal,
    templates: new Templates(database),
    signatures: new Signatures(database),
    circuits: new Circuits(database),
    envelopes,
    erasure: new Erasure({ database, personal, idempotency, envelopes, signerMails, mails: mailLoop, queues }),
    tokens,
    signerMails,
    mailLoop,
    mailRoom,
    senderOwners: new SenderOwners(database),
    signingKeys,
    publicDocuments: new PublicDocuments(database, personal),
    proofs: new Proofs(signingKeys, config.signingUrl),
    work: new ChargedWork(database, 'signing', idempotency, debitsCounter(metrics)),
    signers,
    signerDrafts,
    signerDesk: new SignerDesk(database, personal, signers, queues, sealing, mailLoop),
    renewedLinks: new RenewedLinks({ database, personal, tokens, mails: signerMails, mailLoop, sealedLinkDays }),
    valueDigests: ValueDigests.ofSecret(config),
    otpCodes: OtpCodes.ofSecret(config),
    currentDocuments: new CurrentDocuments(database, personal, store, pdfs),
    dryRun: new DryRun(store, pdfs),
    queues,
    sealing,
    store,
    pdfs,
  };
}
