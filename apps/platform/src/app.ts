import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { LedgerReader } from '@constancia/credit-ledger';
import { createHttpApp, openapiFile, rateLimiterOf, type RatePolicy } from '@constancia/http';
import { besideBundle, SecretBox } from '@constancia/kernel';
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
import { platformActions } from './ops/platform-actions.ts';
import { OwnerNotices } from './owner-notices/owner-notices.ts';
import { RecoveryMails } from './recovery/send-recovery-mails.ts';

const QUARTER_HOUR = 900;

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
  const recoveryMails = new RecoveryMails({ database, mailer, logger, baseUrl: config.baseUrl.replace(/\/+$/, '') });
  const ownerNotices = new OwnerNotices({ database, mailer, logger });
  const secrets = SecretBox.fromText(config.secretsKey);
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
    readiness: {
      database: migrated(database, PLATFORM),
      'identity-database': migrated(identity, IDENTITY),
      queue: () => queues.ping(),
      storage: () => subjects.objects.ping(),
    },
    actions: platformActions({ database, identity, queues, secrets, environment: config.environment }),
    page: besideBundle(import.meta.url, 'ops-page') ?? besideBundle(import.meta.url, 'ops/page'),
    parts: {
      opened: [database, identity, limiter, ...subjects.opened, queues, mailer],
      background: [
        keys,
        recoveryMails,
        ownerNotices,
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
  ];
}
