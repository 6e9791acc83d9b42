import { drainBacklog } from '@constancia/kernel';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { Erasure } from './erasure.ts';

const EVERY_MS = 30_000;
const BATCH = 50;

/**
 * Erases the subjects of tenants that were closed, as a tenant erases one: open sessions end, and the other modules erase what the law
 * does not oblige them to keep. Every platform process does it; the one that takes a subject's row first erases it.
 */
@Injectable()
export class ClosedTenantsSweep extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly erasure: Erasure,
    logger: Logger,
  ) {
    super({ name: 'closed-tenants-sweep', everyMs: EVERY_MS, logger });
  }

  override run(signal?: AbortSignal): Promise<void> {
    const sql = 'select * from identity.subjects_of_closed($1)';
    return drainBacklog({
      batch: BATCH,
      due: (limit) => this.database.query<{ tenant_id: string; id: string }>(sql, [limit]),
      handle: ({ tenant_id, id }) => this.erasure.eraseOfClosed(tenant_id, id),
      about: ({ tenant_id, id }) => ({ tenant_id, subject_id: id }),
      signal,
    });
  }
}
