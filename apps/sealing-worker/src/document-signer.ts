import { SigningKms, type SigningPublicKey, KmsUnavailable } from '@constancia/kms';
import type { SealingIdentity } from '@constancia/pdf-sealing';
import type { Database } from '@constancia/persistence';
import type { SigningCertificates } from './signing-certificates.ts';

export const SIGNATURE_ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';

/** The key that documents are signed with, published. */
export interface PublishedKey {
  keyArn: string;
  spkiDer: Buffer;
  /** SHA-256 of spkiDer, hex. */
  fingerprint: string;
  identity: SealingIdentity;
}

export interface DocumentSignerParts {
  kms: SigningKms;
  keyId: string;
  database: Database;
  certificates: SigningCertificates;
}

/** Signs digests with the deployment's key, which it publishes with its certificate before its first signature. */
export class DocumentSigner {
  private published: Promise<PublishedKey> | undefined;

  constructor(private readonly parts: DocumentSignerParts) {}

  /** Throws CertificateOfAnotherKey when the configured certificate is not the key's; while KMS is away that is found out later. */
  async check(): Promise<void> {
    const { kms, keyId, certificates } = this.parts;
    if (!certificates.configured) return;
    try {
      certificates.check(await kms.publicKey(keyId));
    } catch (error) {
      if (!(error instanceof KmsUnavailable)) throw error;
    }
  }

  /** Throws KmsUnavailable. */
  key(): Promise<PublishedKey> {
    this.published ??= this.publish().catch((error: unknown) => {
      this.published = undefined;
      throw error;
    });
    return this.published;
  }

  /**
   * Signs a SHA-256 digest. What KMS answers is verified here before anybody relies on it. Throws KmsUnavailable.
   *
   * @param digest 32 bytes
   */
  async sign(digest: Buffer): Promise<Buffer> {
    const { keyArn, spkiDer } = await this.key();
    // By ARN: an alias may be pointed at another key while this process runs, and that one is not published yet.
    const signature = await this.parts.kms.sign(keyArn, digest);
    if (!SigningKms.verify(spkiDer, digest, signature))
      throw new KmsUnavailable('server-error', 'the signature does not verify');
    return signature;
  }

  private async publish(): Promise<PublishedKey> {
    const { kms, keyId, certificates } = this.parts;
    const key = await kms.publicKey(keyId);
    await this.register(key);
    const { keyArn, spkiDer, fingerprint } = key;
    return { keyArn, spkiDer, fingerprint, identity: await certificates.of(key) };
  }

  private async register({ fingerprint, keyArn, pem }: SigningPublicKey): Promise<void> {
    await this.parts.database.query('select signing.register_signing_key($1, $2, $3, $4)', [
      Buffer.from(fingerprint, 'hex'),
      keyArn,
      SIGNATURE_ALGORITHM,
      pem,
    ]);
  }
}
