import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { LedgerReader } from '@constancia/credit-ledger';
import { createHttpApp, openapiFile, rateLimiterOf, type RatePolicy } from '@constancia/http';
import { ExpiredIdempotencyKeys, Idempotency } from '@constancia/idempotency';
import { besideBundle } from '@constancia/child-process';
import { SecretBox } from '@constancia/kernel';
import { mailAge, Mailer } from '@constancia/mail';
import { Database, migrated } from '@constancia/persistence';
import { queuesOf } from '@constancia/queue';
import { createLogger, Metrics } from '@constancia/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PlatformModule } from './app.module.ts';
import { StaleHolds } from './billing/reap-stale-holds.ts';
import { LedgerWatch } from './billing/watch-ledger.ts';
import type { PlatformConfig } from './config.ts';
import { flowPartsOf } from './identity/identity-parts.ts';
import { IDENTITY } from './identity/migrations/all.ts';
import { SESSION_TOKEN_PREFIX } from './identity/sessions/session-token.ts';
import { subjectPartsOf } from './identity/subject-parts.ts';
import { UPLOAD_ADDRESS } from './identity/uploads/upload-address.ts';
import { PLATFORM } from './migrations/all.ts';
import { OWNER_EMAIL_PAGE } from './owner-email/owner-email-page.ts';
import { OwnerNotices } from './owner-notices/owner-notices.ts';
import { RecoveryMails } from './recovery/send-recovery-mails.ts';

const QUARTER_HOUR = 900;
const HOUR = 3_600;
/** Mails with a token that a tenant may ask for in an hour. */
const PROOF_MAILS_PER_HOUR = 5;

/** The platform app: built, not listening. Does not fail while Postgres, Redis or the mail server is away. */
export async function createApp(config: PlatformConfig): Promise<NestFastifyApplication> {
  const logger = createLogger({ app: 'platform', level: config.logLevel });
  const metrics = new Metrics({ app: 'platform', runtime: true });
  const database = await Database.connect({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: 'platform',
  });
  const identity = await Database.connect({
    url: config.identityDatabaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: 'identity',
  });
  const limiter = rateLimiterOf(config, { logger, metrics });
  const queues = queuesOf('platform', config, { logger, metrics });
  const mailer = new Mailer({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  const ledger = new LedgerReader(database);
  const keys = new ApiKeys(database, { environment: config.environment });
  const baseUrl = config.baseUrl.replace(/\/+$/, '');
  const recoveryMails = new RecoveryMails({ database, mailer, logger, baseUrl });
  const ownerNotices = new OwnerNotices({ database, mailer, logger, baseUrl });
  const secrets = SecretBox.ofSecret(config);
  const idempotency = new Idempotency('platform', secrets);
  const subjects = subjectPartsOf({ config, database: identity, queues, logger });
  const flows = flowPartsOf({
    ...{ config, database: identity, queues, logger, metrics, idempotency: subjects.idempotency },
    ...{ subjects: subjects.subjects, assets: subjects.assets, consents: subjects.consents },
  });
  mailAge(metrics, 'recovery', () => recoveryMails.oldestSeconds());
  mailAge(metrics, 'owner_notice', () => ownerNotices.oldestSeconds());
  const module = PlatformModule.of({
    config,
    database,
    secrets,
    queues,
    mailer,
    ledger,
    recoveryMails,
    ownerNotices,
    idempotency,
    flows,
    subjects,
  });
  return createHttpApp(module, {
    name: 'platform',
    config,
    authenticator: new ApiKeyAuthenticator(keys),
    bearers: { [SESSION_TOKEN_PREFIX]: (token) => flows.tokens.find(token) },
    addresses: { [UPLOAD_ADDRESS]: (address) => subjects.addresses.grantOf(address) },
    limiter,
    policies: policiesOf(config),
    openapiFile: openapiFile('platform'),
    problemPages: true,
    documentPages: [OWNER_EMAIL_PAGE],
    readiness: {
      database: migrated(database, PLATFORM),
      'identity-database': migrated(identity, IDENTITY),
      queue: () => queues.ping(),
      storage: () => subjects.objects.ping(),
    },
    page: besideBundle(import.meta.url, 'ops-page') ?? besideBundle(import.meta.url, 'ops/page'),
    parts: {
      opened: [database, identity, limiter, ...subjects.opened, queues, mailer],
      background: [
        keys,
        recoveryMails,
        ownerNotices,
        new ExpiredIdempotencyKeys(database, 'platform', logger),
        new StaleHolds(ledger, logger),
        new LedgerWatch(ledger, logger, metrics),
        ...subjects.background,
        ...flows.background,
      ],
    },
    logger,
    metrics,
  });
}

function policiesOf(config: PlatformConfig): RatePolicy[] {
  const limited = { method: 'POST', limit: config.rateLimitSignup, windowSeconds: QUARTER_HOUR, by: 'ip' } as const;
  return [
    { ...limited, name: 'signup', path: '/signup' },
    { ...limited, name: 'recovery', path: '/tenants/:id/api-key-recovery' },
    { ...limited, name: 'owner-proof', path: '/tenants/:id/owner-email/proof' },
    {
      name: 'owner-proof-mail',
      method: 'POST',
      path: '/tenants/:id/owner-email/proof-mail',
      limit: PROOF_MAILS_PER_HOUR,
      windowSeconds: HOUR,
      by: 'tenant',
    },
  ];
}
