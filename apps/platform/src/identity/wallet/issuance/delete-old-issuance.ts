import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';

const EVERY_MS = 10 * 60_000;

/** Deletes offers of yesterday, nonces that have expired, and credentials a month after they have. */
@Injectable()
export class DeleteOldIssuance extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    logger: Logger,
  ) {
    super({ name: 'credential-issuance', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    await this.database.query('select identity.delete_old_issuance()');
  }
}
