import { ObjectMissing, ObjectStore, openObject, sealedObjectKey } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';
import { SubjectKeys } from '../../subjects/subject-keys.ts';
import { Asset } from '../../uploads/asset.entity.ts';
import { PictureRefused } from '../../uploads/picture-answer.ts';
import { PictureCleaner } from '../../uploads/picture-cleaner.ts';
import { rethrowStorageUnavailable, versionOf } from '../../uploads/picture-intake.ts';

/** The pictures of faces that verifications of tenants compared. */
@Injectable()
export class ComparedFaces {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: SubjectKeys,
    private readonly objects: ObjectStore,
    private readonly cleaner: PictureCleaner,
  ) {}

  /**
   * A copy of one, small enough to be kept in a row. Null: it is deleted already, or its subject erased. Throws DependencyUnavailable, for
   * which another attempt is worth it.
   */
  async copy(tenantId: string, { subjectId, assetId }: { subjectId: string; assetId: string }): Promise<Buffer | null> {
    const known = await this.database.tenant(tenantId, async (tx) => {
      const stored = { id: assetId, tenant_id: tenantId, subject_id: subjectId, status: 'stored' } as const;
      const asset = await tx.manager.findOneBy(Asset, stored);
      const key = asset && (await this.keys.of(tx, tenantId, subjectId));
      return asset && key && { name: versionOf(asset, asset.version), key };
    });
    if (known === null) return null;
    const sealed = await this.objects.get(sealedObjectKey(known.name)).catch((error: unknown) => {
      if (error instanceof ObjectMissing) return null;
      return rethrowStorageUnavailable(error);
    });
    if (sealed === null) return null;
    return this.cleaner.face(openObject(known.key, sealed, known.name)).catch((error: unknown) => {
      if (error instanceof PictureRefused) return null; // it was decoded when it came, and no attempt would end otherwise
      throw error;
    });
  }
}
