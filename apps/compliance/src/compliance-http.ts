import { Credentials } from '@constancia/auth';
import { besideBundle } from '@constancia/child-process';
import { type HttpOptions, openapiFile } from '@constancia/http';
import { Database, migrated } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { RateLimiter } from '@constancia/rate-limit';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { ComplianceConfig } from './config.ts';
import { Lists } from './lists/lists.ts';
import { readinessDetails, requireListsLoaded } from './lists/list-readiness.ts';
import { COMPLIANCE } from './migrations/all.ts';

/** The options of the HTTP kit for this app. */
@Injectable()
export class ComplianceHttp implements HttpOptions {
  readonly name = 'compliance';
  readonly openapiFile = openapiFile('compliance');
  readonly page = besideBundle(import.meta.url, 'ops-page');
  readonly readiness: HttpOptions['readiness'];
  readonly readinessDetails: HttpOptions['readinessDetails'];

  constructor(
    readonly config: ComplianceConfig,
    readonly authenticator: Credentials,
    readonly limiter: RateLimiter,
    readonly logger: Logger,
    readonly metrics: Metrics,
    database: Database,
    queues: Queues,
    lists: Lists,
  ) {
    this.readiness = {
      database: migrated(database, COMPLIANCE),
      queue: () => queues.ping(),
      lists: () => requireListsLoaded(lists),
    };
    this.readinessDetails = () => readinessDetails(lists);
  }
}
