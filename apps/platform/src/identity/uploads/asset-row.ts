import { typeId, uuidOf } from '@constancia/kernel';

/** What a picture shows. */
export const ASSET_KINDS = ['doc_front', 'doc_back', 'selfie', 'liveness_frame'] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

/** What a picture may come as. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** A row of identity.asset. Ids are UUIDs. */
export interface AssetRow {
  id: string;
  tenant_id: string;
  subject_id: string;
  kind: AssetKind;
  status: 'awaiting' | 'stored' | 'deleting' | 'deleted';
  /** Uploaded to the object store itself. */
  direct: boolean;
  declared_type: PictureType | null;
  declared_bytes: number | null;
  /** Uploads that were begun. */
  version: number;
  expires_at: Date;
  stored_at: Date | null;
}

export const ASSET_COLUMNS =
  'id, tenant_id, subject_id, kind, status, direct, declared_type, declared_bytes, version, expires_at, stored_at';

const SCHEME = 'asset://';

export function storedUri(assetId: string): string {
  return `${SCHEME}${typeId('ast', assetId)}`;
}

/** The UUID in a stored_uri; null when the text is none. */
export function assetIdOf(uri: string): string | null {
  return uri.startsWith(SCHEME) ? uuidOf('ast', uri.slice(SCHEME.length)) : null;
}
