import type { Database } from '@constancia/persistence';
import { type ObjectStore, sealedObjectKey } from '@constancia/storage';
import type { Logger } from '@constancia/telemetry';
import { incomingKey } from './direct-intake.ts';
import { versionOf } from './picture-intake.ts';

const BATCH = 50;
const LEASE_SECONDS = 60;

interface Due {
  id: string;
  tenant_id: string;
  subject_id: string;
  version: number;
  direct: boolean;
}

/**
 * Removes the objects of assets that are given up (status `deleting`), whoever gave them up. The row outlives its objects, so a crash
 * in between repeats a removal, which harms nothing, and loses none; a lease keeps two processes from doing the same.
 */
export class AssetRemoval {
  constructor(
    private readonly database: Database,
    private readonly objects: ObjectStore,
    private readonly logger: Logger,
  ) {}

  /** Answers how many assets were removed. Never throws for an object that stays: the next round tries again. */
  async removeDue(): Promise<number> {
    let removed = 0;
    for (;;) {
      const due = await this.database.query<Due>(`select * from identity.assets_to_delete($1, $2)`, [
        BATCH,
        LEASE_SECONDS,
      ]);
      const gone = await Promise.all(due.map((asset) => this.remove(asset)));
      removed += gone.filter(Boolean).length;
      if (due.length < BATCH || gone.includes(false)) return removed;
    }
  }

  private async remove(asset: Due): Promise<boolean> {
    try {
      for (let version = 1; version <= asset.version; version++) {
        await this.objects.delete(sealedObjectKey(versionOf(asset, version)));
      }
      if (asset.direct) await this.objects.delete(incomingKey(asset));
      await this.database.query(`select identity.asset_deleted($1)`, [asset.id]);
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'a picture could not be removed');
      return false;
    }
  }
}
