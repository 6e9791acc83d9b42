import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import type { SessionAssets, StoredAsset } from '../sessions/session-ports.ts';
import { ASSET_COLUMNS, type AssetRow, assetIdOf } from './asset-row.ts';

/** Looks at a picture that was uploaded to the object store itself, and keeps it or not. */
export interface DirectUploads {
  /** In the caller's transaction. Null: nothing has arrived, or it was no picture. */
  settle(tx: Tx, asset: AssetRow): Promise<Date | null>;
}

/** The pictures of subjects, as flows see them. */
export class Assets implements SessionAssets {
  constructor(private readonly directUploads: DirectUploads) {}

  async require(tx: Tx, tenantId: string, subjectId: string, uri: string): Promise<StoredAsset> {
    const id = assetIdOf(uri);
    const asset = id === null ? undefined : await this.find(tx, tenantId, subjectId, id);
    if (asset === undefined) throw new NotFound();
    const storedAt = await this.storedAt(tx, asset);
    if (storedAt === null) throw new NotFound();
    return { id: asset.id, kind: asset.kind, storedAt };
  }

  private async find(tx: Tx, tenantId: string, subjectId: string, id: string): Promise<AssetRow | undefined> {
    const [row] = await tx.query<AssetRow>(
      `select ${ASSET_COLUMNS} from identity.asset where id = $1 and tenant_id = $2 and subject_id = $3`,
      [id, tenantId, subjectId],
    );
    return row;
  }

  private async storedAt(tx: Tx, asset: AssetRow): Promise<Date | null> {
    if (asset.status === 'stored') return asset.stored_at;
    return asset.status === 'awaiting' && asset.direct ? this.directUploads.settle(tx, asset) : null;
  }
}
