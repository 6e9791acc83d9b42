import { NotFound, StateConflict } from '@constancia/problem-json';
import type { SealedObjectName } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { Asset, type PictureType } from './asset.entity.ts';
import { markStored, PictureIntake, versionOf } from './picture-intake.ts';
import type { UploadGrant } from './upload-address.ts';
import { requireActive } from '../../tenants/tenant-standing.ts';

/** An upload that takes longer is given up: longer than the intake's own time limits together. */
const CLAIM_SECONDS = 60;

/**
 * Receives pictures. An asset takes one upload at a time and one picture for good: the request that claims it writes an object of its own version,
 * and only a claim that still holds makes it the picture.
 */
@Injectable()
export class Uploads {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly intake: PictureIntake,
  ) {}

  /** Throws TenantSuspended, StateConflict (used, or being received), NotFound (given up or erased), and what PictureIntake.keep throws. */
  async receive(grant: UploadGrant, bytes: Buffer, declared: PictureType | null): Promise<void> {
    const { tenantId } = grant;
    const claimed = await this.claim(grant);
    const name = versionOf(claimed, claimed.version);
    try {
      const kept = await this.intake.keep(bytes, declared, name, (keys) =>
        this.database.tenant(tenantId, (tx) => keys.of(tx, tenantId, claimed.subject_id)),
      );
      const storedAt = await this.database.tenant(tenantId, (tx) => markStored(tx, name, kept));
      if (storedAt === null) throw new NotFound(); // erased meanwhile
    } catch (error) {
      await this.intake.discard(name);
      await this.letGo(name);
      throw error;
    }
  }

  private claim({ tenantId, assetId }: UploadGrant): Promise<Asset> {
    return this.database.tenant(tenantId, async (tx) => {
      await requireActive(tx, tenantId);
      const [claimed] = await tx.query<Asset>(
        `update identity.asset set version = version + 1, claim_until = now() + make_interval(secs => $3)
          where id = $1 and tenant_id = $2 and status = 'awaiting' and (claim_until is null or claim_until <= now())
          returning *`,
        [assetId, tenantId, CLAIM_SECONDS],
      );
      if (claimed) return claimed;
      const asset = await tx.manager.findOneBy(Asset, { id: assetId, tenant_id: tenantId });
      if (asset?.status === 'awaiting') throw new StateConflict('This upload is being received: wait for its answer.');
      if (asset?.status === 'stored') throw new StateConflict('This address was used: ask for another one.');
      throw new NotFound();
    });
  }

  /** The address may be tried again at once. When the store is unavailable, the claim ends by itself. */
  private async letGo({ tenantId, assetId, version }: SealedObjectName): Promise<void> {
    await this.database
      .tenant(tenantId, (tx) =>
        tx.manager.update(Asset, { id: assetId, tenant_id: tenantId, version }, { claim_until: null }),
      )
      .catch(() => undefined);
  }
}
