import type { SealingIdentity } from '@constancia/pdf-sealing';

/** The key that documents are signed with, published. */
export interface PublishedKey {
  keyArn: string;
  spkiDer: Buffer;
  /** SHA-256 of spkiDer, hex. */
  fingerprint: string;
  identity: SealingIdentity;
}
