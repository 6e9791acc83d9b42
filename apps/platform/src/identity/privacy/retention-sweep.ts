import { RETENTION_PERIODS } from '@constancia/contracts';
import { ObjectStore } from '@constancia/storage';
import { IndependentWork } from '@constancia/kernel';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import type { Asset } from '../uploads/asset.entity.ts';
import { AssetRemoval } from '../uploads/asset-removal.ts';
import { DirectIntake, incomingKey } from '../uploads/direct-intake.ts';
import { Erasure } from './erasure.ts';

const { image_days, session_days } = RETENTION_PERIODS.identity;
const EVERY_MS = 60_000;
const BATCH = 100;
const LEASE_SECONDS = 120;

type DueUpload = Pick<Asset, 'id' | 'tenant_id' | 'subject_id' | 'status'>;

/**
 * Applies what was promised about time: addresses that expired unused, pictures and sessions past their tenant's retention,
 * legal holds that ended. Every platform process does it; each row is claimed in the store, so each is handled once.
 */
@Injectable()
export class RetentionSweep extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly objects: ObjectStore,
    private readonly direct: DirectIntake,
    private readonly removal: AssetRemoval,
    private readonly erasure: Erasure,
    logger: Logger,
  ) {
    super({ name: 'retention-sweep', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    const { database, erasure } = this;
    const work = new IndependentWork();
    const all = (sql: string, ...days: number[]) =>
      work.attempt(() => repeated(() => database.query<{ n: number }>(`select ${sql} as n`, [BATCH, ...days])));
    await work.attempt(() => this.settleDirect(work));
    await all('identity.expire_presigns($1)');
    await all('identity.retire_assets($1, $2)', image_days.default);
    await all('identity.forget_sessions($1, $2)', session_days.default);
    await work.attempt(async () => {
      const sql = 'select * from identity.holds_over($1)';
      for (const { id, tenant_id } of await database.query<{ id: string; tenant_id: string }>(sql, [BATCH]))
        await work.attempt(() => erasure.endHold(tenant_id, id), { tenant_id });
    });
    await work.attempt(() => this.removal.removeDue(work));
    work.throwFirstFailure();
  }

  private async settleDirect(work: IndependentWork): Promise<void> {
    const due = await this.database.query<DueUpload>(`select * from identity.direct_uploads_due($1, $2)`, [
      BATCH,
      LEASE_SECONDS,
    ]);
    for (const asset of due) {
      await work.attempt(() => this.settle(asset), { asset_id: asset.id, tenant_id: asset.tenant_id });
    }
  }

  private async settle(asset: DueUpload): Promise<void> {
    const { database, objects, direct } = this;
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
