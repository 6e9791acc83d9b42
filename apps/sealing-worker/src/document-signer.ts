import { ConfigInvalid } from '@constancia/config';
import { SigningKms, type SigningPublicKey, KmsUnavailable } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SealingConfig } from './config.ts';
import type { PublishedKey } from './published-key.ts';
import { CertificateOfAnotherKey, SigningCertificates } from './signing-certificates.ts';
import { type TenantKey, TenantKeys } from './tenant-keys/tenant-keys.ts';

export const SIGNATURE_ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';

/**
 * Signs digests: with the key that a tenant set for its documents, or with the deployment's, which it publishes with its certificate before
 * its first signature.
 */
@Injectable()
export class DocumentSigner implements OnModuleInit {
  private published: Promise<PublishedKey> | undefined;

  constructor(
    private readonly kms: SigningKms,
    private readonly database: Database,
    private readonly certificates: SigningCertificates,
    private readonly tenantKeys: TenantKeys,
    private readonly config: SealingConfig,
  ) {}

  /** Throws ConfigInvalid when the configured certificate is not the key's; while KMS is unavailable that is found out later. */
  async onModuleInit(): Promise<void> {
    if (!this.certificates.configured) return;
    try {
      this.certificates.check(await this.kms.publicKey(this.config.kmsKeyId));
    } catch (error) {
      if (error instanceof CertificateOfAnotherKey) throw new ConfigInvalid([error.message]);
      if (!(error instanceof KmsUnavailable)) throw error;
    }
  }

  /** The key that documents of a tenant are sealed with now. Throws KmsUnavailable and TenantKeyUnusable. */
  async keyOf(tenantId: string): Promise<PublishedKey> {
    return (await this.tenantKeys.of(tenantId)) ?? this.platformKey();
  }

  /** Throws KmsUnavailable. */
  platformKey(): Promise<PublishedKey> {
    this.published ??= this.publish().catch((error: unknown) => {
      this.published = undefined;
      throw error;
    });
    return this.published;
  }

  /**
   * Signs a SHA-256 digest. What KMS answers is verified here before anybody relies on it. Throws KmsUnavailable, and TenantKeyUnusable.
   *
   * @param digest 32 bytes
   */
  async sign(key: PublishedKey, digest: Buffer): Promise<Buffer> {
    // By ARN: an alias may be pointed at another key while this process runs, and that one is not published yet.
    const signature = await this.kms.sign(key.keyArn, digest).catch(async (error: unknown) => {
      const unusable = isTenants(key) && error instanceof KmsUnavailable && !error.retryable;
      throw unusable ? await this.tenantKeys.unusable(key, error) : error;
    });
    if (!SigningKms.verify(key.spkiDer, digest, signature))
      throw new KmsUnavailable('server-error', 'the signature does not verify');
    if (isTenants(key)) await this.tenantKeys.used(key);
    return signature;
  }

  private async publish(): Promise<PublishedKey> {
    const key = await this.kms.publicKey(this.config.kmsKeyId);
    await this.register(key);
    const { keyArn, spkiDer, fingerprint } = key;
    return { keyArn, spkiDer, fingerprint, identity: await this.certificates.of(key) };
  }

  private async register({ fingerprint, keyArn, pem }: SigningPublicKey): Promise<void> {
    await this.database.query('select signing.register_signing_key($1, $2, $3, $4)', [
      Buffer.from(fingerprint, 'hex'),
      keyArn,
      SIGNATURE_ALGORITHM,
      pem,
    ]);
  }
}

const isTenants = (key: PublishedKey): key is TenantKey => 'tenantId' in key;
