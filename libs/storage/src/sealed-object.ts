import { SecretBox } from '@constancia/kernel';

/** What sealed bytes belong to. Ids are UUIDs. */
export interface SealedObjectName {
  tenantId: string;
  subjectId: string;
  assetId: string;
  /** Counts the uploads to the asset, from 1. */
  version: number;
}

/** Where the sealed bytes of an asset's version are kept. */
export function sealedObjectKey({ tenantId, subjectId, assetId, version }: SealedObjectName): string {
  return `subjects/${tenantId}/${subjectId}/${assetId}.v${version}`;
}

const objectContext = ({ tenantId, subjectId, assetId, version }: SealedObjectName): string =>
  `${tenantId}|${subjectId}|${assetId}|${version}`;

/**
 * Encrypts an asset under its subject's data key (32 bytes): AES-256-GCM, AAD `tenant|subject|asset|version`, in the form that
 * SecretBox writes.
 */
export function sealObject(dataKey: Buffer, bytes: Buffer, name: SealedObjectName): Buffer {
  return new SecretBox([dataKey]).seal(bytes, objectContext(name));
}

/** Decrypts what sealObject made. Throws when the bytes were altered, belong to another asset, or the key is another. */
export function openObject(dataKey: Buffer, sealed: Buffer, name: SealedObjectName): Buffer {
  return new SecretBox([dataKey]).open(sealed, objectContext(name));
}
