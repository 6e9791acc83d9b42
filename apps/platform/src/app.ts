import { existsSync } from 'node:fs';
import path from 'node:path';
import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { LedgerReader } from '@constancia/credit-ledger';
import { createHttpApp, type RatePolicy } from '@constancia/http';
import { SecretBox } from '@constancia/kernel';
import { Mailer } from '@constancia/mail';
import { Database, requireMigrated } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { RateLimiter } from '@constancia/rate-limit';
import { createLogger, type Logger, Metrics } from '@constancia/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PlatformModule } from './app.module.ts';
import { Background } from './background.ts';
import { StaleHolds } from './billing/reap-stale-holds.ts';
import type { PlatformConfig } from './config.ts';
import { PLATFORM } from './migrations/all.ts';
import { RecoveryMails } from './recovery/send-recovery-mails.ts';

/** Beside the bundle, or in the repository. */
const OPENAPI_FILES = ['api/platform.v1.yaml', '../../../docs/api/platform.v1.yaml'];

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
  const limiter = rateLimiter(config, logger, metrics);
  const queues = queuesOf(config, logger, metrics);
  const mailer = new Mailer({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  const ledger = new LedgerReader(database);
  const keys = new ApiKeys(database, { environment: config.environment });
  const recoveryMails = new RecoveryMails({ database, mailer, logger, baseUrl: config.baseUrl.replace(/\/+$/, '') });
  const background = new Background([
    { stop: () => database.close() },
    { stop: () => limiter.close() },
    { stop: () => queues.close() },
    { stop: () => mailer.close() },
    { start: () => keys.start(), stop: () => keys.close() },
    recoveryMails,
    new StaleHolds(ledger, logger),
  ]);
  const module = PlatformModule.of({
    config,
    database,
    secrets: SecretBox.fromText(config.secretsKey),
    queues,
    mailer,
    ledger,
    recoveryMails,
    background,
  });
  return createHttpApp(module, {
    name: 'platform',
    config,
    authenticator: new ApiKeyAuthenticator(keys),
    limiter,
    policies: policiesOf(config),
    openapiFile: OPENAPI_FILES.map((file) => path.join(import.meta.dirname, file)).find((file) => existsSync(file)),
    problemPages: true,
    readiness: { database: migrated(database), queue: () => queues.ping() },
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

function rateLimiter(config: PlatformConfig, logger: Logger, metrics: Metrics): RateLimiter {
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

function queuesOf(config: PlatformConfig, logger: Logger, metrics: Metrics): Queues {
  const lost = metrics.counter('queue_hints_lost_total', 'Hints that could not be sent; sweeps find their work', [
    'queue',
  ]);
  return new Queues({
    app: 'platform',
    redisUrl: config.redisUrl,
    databaseUrl: config.queueDatabaseUrl,
    sealingKey: SecretBox.fromText(config.queueSealingKey),
    logger,
    onHintLost: (queue, count) => lost.inc({ queue }, count),
  });
}

/** Ready means: Postgres answers, and its schema has every migration that this build needs. */
function migrated(database: Database): () => Promise<void> {
  let known = false;
  return async () => {
    if (known) return database.ping();
    await requireMigrated((sql) => database.query(sql), PLATFORM);
    known = true;
  };
}
