import { SigningKms, SigningUnavailable } from '@constancia/kms';
import type { Database } from '@constancia/persistence';

export const SIGNATURE_ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';

/** Signs digests with the deployment's key, which it publishes before its first signature. */
export class DocumentSigner {
  private registered: Promise<{ keyArn: string; spkiDer: Buffer }> | undefined;

  constructor(
    private readonly kms: SigningKms,
    private readonly keyId: string,
    private readonly database: Database,
  ) {}

  /**
   * Signs the SHA-256 of a document. What KMS answers is verified here before anybody relies on it. Throws SigningUnavailable.
   *
   * @param digest 32 bytes
   */
  async sign(digest: Buffer): Promise<{ keyArn: string; signature: Buffer }> {
    const { keyArn, spkiDer } = await this.key();
    // By ARN: an alias may be pointed at another key while this process runs, and that one is not published yet.
    const signature = await this.kms.sign(keyArn, digest);
    if (!SigningKms.verify(spkiDer, digest, signature))
      throw new SigningUnavailable('server-error', 'the signature does not verify');
    return { keyArn, signature };
  }

  private key(): Promise<{ keyArn: string; spkiDer: Buffer }> {
    this.registered ??= this.register().catch((error: unknown) => {
      this.registered = undefined;
      throw error;
    });
    return this.registered;
  }

  private async register(): Promise<{ keyArn: string; spkiDer: Buffer }> {
    const { keyArn, spkiDer, pem, fingerprint } = await this.kms.publicKey(this.keyId);
    await this.database.query('select signing.register_signing_key($1, $2, $3, $4)', [
      Buffer.from(fingerprint, 'hex'),
      keyArn,
      SIGNATURE_ALGORITHM,
      pem,
    ]);
    return { keyArn, spkiDer };
  }
}
