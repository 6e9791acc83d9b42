import { createHash } from 'node:crypto';
import type { Tx } from '@constancia/persistence';
import {
  DependencyUnavailable,
  NotFound,
  PayloadTooLarge,
  UnprocessableEntity,
  UnsupportedMediaType,
} from '@constancia/problem-json';
import {
  ObjectStore,
  type SealedObjectName,
  sealedObjectKey,
  sealObject,
  StorageUnavailable,
} from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { SubjectKeys } from '../subjects/subject-keys.ts';
import type { Asset, PictureType } from './asset.entity.ts';
import { PictureRefused } from './picture-answer.ts';
import { PictureCleaner } from './picture-cleaner.ts';
import { pictureTypeOf } from './picture-type.ts';

/** What is written down of a kept picture. sha256: of the bytes before encryption. */
export interface KeptPicture {
  sha256: Buffer;
  bytes: number;
  width: number;
  height: number;
}

export const KEPT_TYPE = 'image/jpeg';

/** An upload to an asset: which of its versions it is. */
export function versionOf(asset: Pick<Asset, 'id' | 'tenant_id' | 'subject_id'>, version: number): SealedObjectName {
  return { tenantId: asset.tenant_id, subjectId: asset.subject_id, assetId: asset.id, version };
}

/**
 * From bytes that anybody sent to an encrypted object: identified by the first bytes, decoded and encoded again, encrypted under the
 * subject's key, stored. Nothing of it touches the store before it is encrypted.
 */
@Injectable()
export class PictureIntake {
  constructor(
    private readonly cleaner: PictureCleaner,
    private readonly keys: SubjectKeys,
    private readonly objects: ObjectStore,
  ) {}

  /**
   * Throws UnsupportedMediaType (not what it claims to be), PayloadTooLarge (too many pixels), UnprocessableEntity (cannot be decoded),
   * NotFound (the subject was erased) and DependencyUnavailable.
   *
   * @param declared what the sender calls it; null: any picture will do
   * @param keyOf the subject's key; asked for once the picture is known to be good
   */
  async keep(
    bytes: Buffer,
    declared: PictureType | null,
    name: SealedObjectName,
    keyOf: (keys: SubjectKeys) => Promise<Buffer | null>,
  ): Promise<KeptPicture> {
    refuseOtherTypes(bytes, declared);
    const picture = await this.cleaner.clean(bytes).catch(pictureRefusal);
    const key = await keyOf(this.keys);
    if (key === null) throw new NotFound();
    const sealed = sealObject(key, picture.jpeg, name);
    const contentType = 'application/octet-stream';
    await this.objects
      .put(sealedObjectKey(name), sealed, { contentType })
      .catch((error: unknown) => rethrowStorageUnavailable(error));
    return {
      sha256: createHash('sha256').update(picture.jpeg).digest(),
      bytes: picture.jpeg.length,
      width: picture.width,
      height: picture.height,
    };
  }

  /** Takes the bytes of a version away again, however far its upload came. */
  async discard(name: SealedObjectName): Promise<void> {
    await this.objects.delete(sealedObjectKey(name)).catch(() => undefined); // the asset's own deletion takes every version
  }
}

/** Writes down that the asset has its picture; false when it is not waited for any more (erased, expired, or another was first). */
export async function markStored(tx: Tx, name: SealedObjectName, kept: KeptPicture): Promise<Date | null> {
  const [row] = await tx.query<{ stored_at: Date }>(
    `update identity.asset
        set status = 'stored', stored_at = now(), claim_until = null, sha256 = $4, bytes = $5, content_type = $6, width = $7,
            height = $8
      where id = $1 and tenant_id = $2 and version = $3 and status = 'awaiting'
      returning stored_at`,
    [name.assetId, name.tenantId, name.version, kept.sha256, kept.bytes, KEPT_TYPE, kept.width, kept.height],
  );
  return row?.stored_at ?? null;
}

/** Throws UnsupportedMediaType. */
export function refuseOtherTypes(bytes: Buffer, declared: PictureType | null): void {
  const found = pictureTypeOf(bytes);
  if (found !== null && (declared === null || declared === found)) return;
  throw new UnsupportedMediaType(
    found === null
      ? 'These bytes are no JPEG, PNG or WebP. An iPhone writes HEIC: let it send JPEG ("most compatible").'
      : `These bytes are ${found}, and not ${declared}: ask for an upload address of their own type.`,
  );
}

/** What a picture that cannot be used is answered with. */
export function pictureRefusal(error: unknown): never {
  if (!(error instanceof PictureRefused)) throw error;
  switch (error.refusal) {
    case 'too_many_pixels':
      throw new PayloadTooLarge('The picture has more than 50 megapixels: send a smaller one.');
    case 'animated':
      throw new UnprocessableEntity('The picture moves: send a still one.', { reason: 'animated' });
    case 'unreadable':
      throw new UnprocessableEntity('The picture cannot be decoded: it is damaged or too complex. Take it again.', {
        reason: 'unreadable',
      });
  }
}

/** @param detail what it means for who asked, and what to do */
export function rethrowStorageUnavailable(
  error: unknown,
  detail = 'Pictures cannot be stored at present: send it again.',
): never {
  if (!(error instanceof StorageUnavailable)) throw error;
  throw new DependencyUnavailable(detail, {}, { 'Retry-After': '5' });
}
