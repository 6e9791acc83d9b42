import { ApiKeyAuthenticator, ApiKeys } from '@constancia/auth';
import { ChargedWork, debitsCounter } from '@constancia/credit-ledger';
import { createHttpApp, openapiFile, rateLimiterOf } from '@constancia/http';
import { ExpiredIdempotencyKeys, Idempotency } from '@constancia/idempotency';
import { besideBundle } from '@constancia/child-process';
import { SecretBox } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import { Database, migrated } from '@constancia/persistence';
import { PersonalData, SealingSweep } from '@constancia/personal-data';
import { queuesOf } from '@constancia/queue';
import { createLogger, Metrics } from '@constancia/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ComplianceModule, type ComplianceParts } from './app.module.ts';
import { Backtest } from './backtests/backtest.ts';
import { CaseSweep } from './cases/case-sweep.ts';
import { Cases } from './cases/cases.ts';
import type { ComplianceConfig } from './config.ts';
import { BlockedData } from './erasures/blocked-data.ts';
import { DutySweep } from './erasures/duty-sweep.ts';
import { Erasure } from './erasures/erasure.ts';
import { ErasureRequests } from './erasures/erasure-requests.ts';
import { CaseNotices } from './cases/case-notices.ts';
import { IdentityRequests } from './identity-requests/identity-requests.ts';
import { SessionReviews } from './identity-requests/session-reviews.ts';
import { listCondition, listPartsOf, listsLoaded } from './lists/list-parts.ts';
import { COMPLIANCE } from './migrations/all.ts';
import { monitoringOf } from './monitoring/monitoring-parts.ts';
import { SEALED_TABLES } from './sealing/seal-rows.ts';
import { screeningPartsOf } from './screenings/screening-parts.ts';

/** The compliance app: built, not listening. Does not fail while Postgres or the queue is away. Closing it closes what it opened. */
export async function createApp(config: ComplianceConfig): Promise<NestFastifyApplication> {
  const logger = createLogger({ app: 'compliance', level: config.logLevel });
  const metrics = new Metrics({ app: 'compliance', runtime: true });
  const database = await Database.connect({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: 'compliance',
  });
  const keys = new ApiKeys(database, { environment: config.environment });
  const limiter = rateLimiterOf(config, { logger, metrics });
  const queues = queuesOf('compliance', config, { logger, metrics });
  const dataKeys = new DataKeys(config.dataKeyId, { region: config.awsRegion, endpoint: config.kmsEndpoint });
  const personal = new PersonalData({ schema: 'compliance', database, dataKeys });
  const idempotency = new Idempotency('compliance', SecretBox.ofSecret(config), (tx, tenantId, id) =>
    personal.answerKey(tx, tenantId, id),
  );
  const expiredKeys = new ExpiredIdempotencyKeys(database, 'compliance', logger);
  const listParts = listPartsOf(config, { database, personal, logger, metrics });
  const work = new ChargedWork(database, 'compliance', idempotency, debitsCounter(metrics));
  const screeningParts = screeningPartsOf({ database, personal, lists: listParts.lists, work, queues });
  const { lists, contents } = listParts;
  const monitoring = monitoringOf({
    database,
    personal,
    lists,
    contents,
    screen: screeningParts.screen,
    queues,
    logger,
    metrics,
  });
  const { screen, screenings } = screeningParts;
  const identityRequests = new IdentityRequests({
    database,
    screen,
    screenings,
    cases: new Cases(database, personal),
    queues,
  });
  const sessionReviews = new SessionReviews({ database, cases: new Cases(database, personal), queues });
  const erasure = new Erasure({ database, personal, idempotency });
  const parts: ComplianceParts = {
    config,
    database,
    personal,
    work,
    lists,
    imports: listParts.imports,
    ...screeningParts,
    backtest: new Backtest(database, personal),
    caseNotices: new CaseNotices(database, queues, logger),
    erasure,
    blocked: new BlockedData(database, personal),
  };
  return createHttpApp(ComplianceModule.of(parts), {
    name: 'compliance',
    config,
    authenticator: new ApiKeyAuthenticator(keys),
    limiter,
    openapiFile: openapiFile('compliance'),
    readiness: {
      database: migrated(database, COMPLIANCE),
      queue: () => queues.ping(),
      lists: listsLoaded(lists),
    },
    condition: listCondition(lists),
    page: besideBundle(import.meta.url, 'ops-page') ?? besideBundle(import.meta.url, '../../platform/src/ops/page'),
    parts: {
      opened: [database, limiter, queues, { close: async () => dataKeys.close() }],
      background: [
        keys,
        expiredKeys,
        new CaseSweep(database, logger),
        ...listParts.background,
        monitoring,
        identityRequests,
        sessionReviews,
        new ErasureRequests(erasure, queues),
        new DutySweep(database, erasure, logger),
        new SealingSweep({ schema: 'compliance', database, personal, logger, tables: SEALED_TABLES }),
      ],
    },
    logger,
    metrics,
  });
}
