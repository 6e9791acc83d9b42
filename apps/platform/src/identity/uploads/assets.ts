import type { Tx } from '@constancia/persistence';
import { typeId, uuidOf } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { Asset } from './asset.entity.ts';
import { DirectIntake } from './direct-intake.ts';

const SCHEME = 'asset://';

export function storedUri(assetId: string): string {
  return `${SCHEME}${typeId('ast', assetId)}`;
}

/** A picture that was uploaded, checked and kept. */
export interface StoredAsset {
  /** UUID. */
  id: string;
  kind: string;
  storedAt: Date;
}

/** The pictures of subjects, as flows see them. */
@Injectable()
export class Assets {
  constructor(private readonly direct: DirectIntake) {}

  /** The stored asset of a stored_uri (`asset://ast_…`). Throws NotFound: unknown, not uploaded yet, or of another subject. */
  async require(tx: Tx, tenantId: string, subjectId: string, uri: string): Promise<StoredAsset> {
    const id = uri.startsWith(SCHEME) ? uuidOf('ast', uri.slice(SCHEME.length)) : null;
    const asset = id && (await tx.manager.findOneBy(Asset, { id, tenant_id: tenantId, subject_id: subjectId }));
    if (!asset) throw new NotFound();
    const storedAt = await this.storedAt(tx, asset);
    if (storedAt === null) throw new NotFound();
    return { id: asset.id, kind: asset.kind, storedAt };
  }

  private async storedAt(tx: Tx, asset: Asset): Promise<Date | null> {
    if (asset.status === 'stored') return asset.stored_at;
    return asset.status === 'awaiting' && asset.direct ? this.direct.settle(tx, asset) : null;
  }
}
