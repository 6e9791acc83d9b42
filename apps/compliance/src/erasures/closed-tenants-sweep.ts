import { drainBacklog } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Erasure } from './erasure.ts';

const EVERY_MS = 30_000;
const BATCH = 500;

interface Due {
  tenant_id: string;
  subject_ref: string;
}

/**
 * Erases everybody whom a closed tenant had screened, also those whom the identity module does not know: no request for it can come any
 * more. What the law requires to be kept is blocked for five years from then on. Every process does it; a person is erased once.
 */
@Injectable()
export class ClosedTenantsSweep extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly erasure: Erasure,
    logger: Logger,
  ) {
    super({ name: 'closed-tenants-sweep', everyMs: EVERY_MS, logger });
  }

  override run(signal?: AbortSignal): Promise<void> {
    const sql = 'select tenant_id, subject_ref from compliance.subjects_of_closed($1)';
    return drainBacklog<Due>({
      batch: BATCH,
      due: (limit) => this.database.query<Due>(sql, [limit]),
      handle: (due) => this.erase(due),
      about: ({ tenant_id }) => ({ tenant_id }),
      signal,
    });
  }

  private async erase({ tenant_id, subject_ref }: Due): Promise<void> {
    await this.erasure.erase(tenant_id, { refs: [subject_ref], actor: 'system', relationshipEndedAt: new Date() });
  }
}
