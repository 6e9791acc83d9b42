import { uuidv7 } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';
import { type DirectTarget, ObjectStore } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { subjectRow } from '../subjects/subjects.ts';
import type { Asset, AssetKind, PictureType } from './asset.entity.ts';
import { incomingKey } from './direct-intake.ts';
import { UploadAddresses } from './upload-address.ts';

export const MOST_BYTES = 10 * 1024 * 1024;
const MINUTES = 15;

/** What the caller says of a picture beforehand. */
export interface Announced {
  kind: AssetKind;
  type: PictureType | null;
  bytes: number | null;
}

export interface PresignedUpload {
  asset: Asset;
  uploadUrl: string;
  maxBytes: number;
}

/**
 * Creates upload addresses. One of the object store itself only when type and length are known, since an address of S3 can bind
 * exactly these two and no upper limit; any other is one of this process, which counts while it receives.
 */
@Injectable()
export class Presigns {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly addresses: UploadAddresses,
    private readonly objects: ObjectStore,
  ) {}

  /** Throws NotFound: no such subject of the tenant, or erased. */
  async create(tenantId: string, subjectId: string, announced: Announced): Promise<PresignedUpload> {
    const { type, bytes } = announced;
    const target = this.objects as ObjectStore & Partial<DirectTarget>;
    const direct = target.presignPut !== undefined && type !== null && bytes !== null;
    const asset = await this.insert(tenantId, subjectId, announced, direct);
    const maxBytes = bytes ?? MOST_BYTES;
    const uploadUrl = direct
      ? await (target as DirectTarget).presignPut(incomingKey(asset), {
          contentType: type,
          contentLength: bytes,
          expiresInSeconds: MINUTES * 60,
        })
      : this.addresses.addressOf({ assetId: asset.id, tenantId, expiresAt: asset.expires_at, maxBytes, type });
    return { asset, uploadUrl, maxBytes };
  }

  private insert(
    tenantId: string,
    subjectId: string,
    { kind, type, bytes }: Announced,
    direct: boolean,
  ): Promise<Asset> {
    return this.database.tenant(tenantId, async (tx) => {
      // Held, so that an erasure either finds this asset or is found by it.
      const subject = await subjectRow(tx, tenantId, subjectId, 'for share');
      if (subject.erased_at !== null) throw new NotFound();
      const [row] = await tx.query<Asset>(
        `insert into identity.asset (id, tenant_id, subject_id, kind, direct, declared_type, declared_bytes, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, date_trunc('second', now() + make_interval(mins => $8)))
         returning *`,
        [uuidv7(), tenantId, subjectId, kind, direct, type, bytes, MINUTES],
      );
      return row as Asset;
    });
  }
}
