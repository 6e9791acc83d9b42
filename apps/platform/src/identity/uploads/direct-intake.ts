import { buffer } from 'node:stream/consumers';
import type { Tx } from '@constancia/persistence';
import { PayloadTooLarge } from '@constancia/problem-json';
import { ObjectMissing, ObjectStore } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import type { Asset } from './asset.entity.ts';
import { markStored, PictureIntake, rethrowStorageUnavailable, versionOf } from './picture-intake.ts';

/** Where the object store takes what is sent to it directly: read by nobody but the intake, and gone when its address expires. */
export function incomingKey({ tenant_id, id }: Pick<Asset, 'tenant_id' | 'id'>): string {
  return `incoming/${tenant_id}/${id}`;
}

/**
 * Pictures that went to the object store without passing through here: looked at when a step first names them, else by the sweep when
 * their address expires. What is left in `incoming` then goes, so an address that is used again changes nothing.
 */
@Injectable()
export class DirectIntake {
  constructor(
    private readonly intake: PictureIntake,
    private readonly objects: ObjectStore,
  ) {}

  /** In the caller's transaction; the asset's row is held. Null: nothing has arrived. Throws what PictureIntake.keep throws. */
  async settle(tx: Tx, { id, tenant_id }: Pick<Asset, 'id' | 'tenant_id'>): Promise<Date | null> {
    const [asset] = await tx.query<Asset>(
      `update identity.asset set version = version + 1
        where id = $1 and tenant_id = $2 and status = 'awaiting' and direct
        returning *`,
      [id, tenant_id],
    );
    if (!asset) return this.storedMeanwhile(tx, id);
    const bytes = await this.arrived(asset);
    if (bytes === null) return null;
    const name = versionOf(asset, asset.version);
    const kept = await this.intake.keep(bytes, asset.declared_type, name, (keys) =>
      keys.of(tx, asset.tenant_id, asset.subject_id),
    );
    return markStored(tx, name, kept);
  }

  private async storedMeanwhile(tx: Tx, id: string): Promise<Date | null> {
    const [row] = await tx.query<{ stored_at: Date | null }>(
      `select stored_at from identity.asset where id = $1 and status = 'stored'`,
      [id],
    );
    return row?.stored_at ?? null;
  }

  private async arrived(asset: Asset): Promise<Buffer | null> {
    try {
      const { body, size } = await this.objects.stream(incomingKey(asset));
      if (size <= (asset.declared_bytes ?? 0)) return await buffer(body);
      body.destroy();
    } catch (error) {
      if (error instanceof ObjectMissing) return null;
      return rethrowStorageUnavailable(error);
    }
    throw new PayloadTooLarge('More was uploaded than announced.');
  }
}
