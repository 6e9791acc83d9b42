import { Injectable } from '@nestjs/common';
import type { AssetKind } from './asset.entity.ts';
import { storedUri } from './assets.ts';
import { declaredPictureType } from './picture-type.ts';
import { MOST_BYTES, Presigns } from './presigns.ts';
import { Uploads } from './uploads.ts';

/** A picture that came with the request itself. */
export interface ReceivedPicture {
  kind: AssetKind;
  contentType: string | undefined;
  bytes: Buffer;
}

/** Pictures that are sent in one request, for pages that may call no other origin: cleaned, encrypted and bounded as any upload. */
@Injectable()
export class ReceivedPictures {
  constructor(
    private readonly presigns: Presigns,
    private readonly uploads: Uploads,
  ) {}

  /** Answers the stored_uri. Throws what Presigns.create and Uploads.receive throw. */
  async receive(tenantId: string, subjectId: string, { kind, contentType, bytes }: ReceivedPicture): Promise<string> {
    const type = declaredPictureType(contentType);
    const { asset } = await this.presigns.create(tenantId, subjectId, { kind, type, bytes: null });
    const grant = { assetId: asset.id, tenantId, expiresAt: asset.expires_at, maxBytes: MOST_BYTES, type };
    await this.uploads.receive(grant, bytes, type);
    return storedUri(asset.id);
  }
}
