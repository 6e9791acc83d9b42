import { PeriodicTask } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { ObjectStore } from '@constancia/storage';
import type { Logger } from '@constancia/telemetry';
import type { AssetRow } from '../uploads/asset-row.ts';
import type { AssetRemoval } from '../uploads/asset-removal.ts';
import { type DirectIntake, incomingKey } from '../uploads/direct-intake.ts';
import type { Erasure } from './erasure.ts';
import { DEFAULT_SETTINGS } from './identity-settings.ts';

const EVERY_MS = 60_000;
const BATCH = 100;
const LEASE_SECONDS = 120;

export interface RetentionParts {
  database: Database;
  objects: ObjectStore;
  direct: DirectIntake;
  removal: AssetRemoval;
  erasure: Erasure;
  logger: Logger;
}

/**
 * Applies what was promised about time: addresses that expired unused, pictures and sessions past their tenant's retention, legal holds
 * that ended. Every platform process does it; each row is claimed in the store, so each is handled once.
 */
export class RetentionSweep {
  private readonly task: PeriodicTask;

  constructor(private readonly parts: RetentionParts) {
    const { logger } = parts;
    this.task = new PeriodicTask({ name: 'retention-sweep', everyMs: EVERY_MS, logger, run: () => this.sweep() });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Never throws: the next round tries again. */
  async sweep(): Promise<void> {
    const { database, removal, erasure, logger } = this.parts;
    const count = (sql: string, params: unknown[]) => database.query<{ n: number }>(`select ${sql} as n`, params);
    try {
      await this.settleDirect();
      await repeated(() => count('identity.expire_presigns($1)', [BATCH]));
      await repeated(() => count('identity.retire_assets($1, $2)', [BATCH, DEFAULT_SETTINGS.image_retention_days]));
      await repeated(() => count('identity.forget_sessions($1, $2)', [BATCH, DEFAULT_SETTINGS.session_retention_days]));
      const over = await database.query<{ id: string; tenant_id: string }>(`select * from identity.holds_over($1)`, [
        BATCH,
      ]);
      for (const { id, tenant_id } of over) await erasure.endHold(tenant_id, id);
      await removal.removeDue();
    } catch (error) {
      logger.warn({ err: error }, 'retention could not be applied');
    }
  }

  private async settleDirect(): Promise<void> {
    const due = await this.parts.database.query<AssetRow>(`select * from identity.direct_uploads_due($1, $2)`, [
      BATCH,
      LEASE_SECONDS,
    ]);
    for (const asset of due) await this.settle(asset);
  }

  private async settle(asset: AssetRow): Promise<void> {
    const { database, objects, direct } = this.parts;
    let reason = 'unused';
    if (asset.status === 'awaiting') {
      try {
        await database.tenant(asset.tenant_id, (tx) => direct.settle(tx, asset));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        reason = 'refused';
      }
    }
    await objects.delete(incomingKey(asset));
    await database.query(`select identity.direct_upload_swept($1, $2)`, [asset.id, reason]);
  }
}

/** What was uploaded is no picture, whenever it is looked at; anything else may pass. */
function isRefusal(error: unknown): boolean {
  const { status } = error as { status?: number };
  return status === 404 || status === 413 || status === 415 || status === 422;
}

async function repeated(batch: () => Promise<{ n: number }[]>): Promise<void> {
  for (;;) {
    const [row] = await batch();
    if ((row?.n ?? 0) < BATCH) return;
  }
}
