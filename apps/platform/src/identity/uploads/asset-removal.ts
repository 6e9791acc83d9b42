import type { IndependentWork } from '@constancia/kernel';
import { ObjectStore, sealedObjectKey } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import type { Asset } from './asset.entity.ts';
import { incomingKey } from './direct-intake.ts';
import { versionOf } from './picture-intake.ts';

const BATCH = 50;
const LEASE_SECONDS = 60;

type Due = Pick<Asset, 'id' | 'tenant_id' | 'subject_id' | 'version' | 'direct'>;

/**
 * Removes the objects of assets that are given up (status `deleting`), for whatever reason. The row outlives its objects, so a crash
 * in between repeats a removal, which harms nothing, and loses none; a lease keeps two processes from doing the same.
 */
@Injectable()
export class AssetRemoval {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly objects: ObjectStore,
  ) {}

  /** An object that stays is a failure of the work; the next round tries again. */
  async removeDue(work: IndependentWork): Promise<void> {
    for (;;) {
      const due = await this.database.query<Due>(`select * from identity.assets_to_delete($1, $2)`, [
        BATCH,
        LEASE_SECONDS,
      ]);
      const gone = await Promise.all(
        due.map((asset) => work.attempt(() => this.remove(asset), { asset_id: asset.id, tenant_id: asset.tenant_id })),
      );
      if (due.length < BATCH || gone.includes(false)) return;
    }
  }

  private async remove(asset: Due): Promise<void> {
    for (let version = 1; version <= asset.version; version++) {
      await this.objects.delete(sealedObjectKey(versionOf(asset, version)));
    }
    if (asset.direct) await this.objects.delete(incomingKey(asset));
    await this.database.query(`select identity.asset_deleted($1)`, [asset.id]);
  }
}
