import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';

const EVERY_MS = 60_000;
const BATCH = 5_000;

/** Deletes what the OpenID provider remembers, an hour after it expired. */
@Injectable()
export class OidcRecordsSweep extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    logger: Logger,
  ) {
    super({ name: 'oidc-records', everyMs: EVERY_MS, logger });
  }

  override async run(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const [row] = await this.database.query<{ deleted: number }>(
        'select identity.delete_old_oidc_records($1) as deleted',
        [BATCH],
      );
      if ((row?.deleted ?? 0) < BATCH || signal?.aborted) break;
    }
    await this.database.query('select identity.delete_old_oidc_grant_releases()');
  }
}
