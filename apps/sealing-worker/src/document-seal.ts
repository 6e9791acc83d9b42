import { type PreparedSeal, seal, signatureRoom } from '@constancia/pdf-sealing';
import { Inject, Injectable } from '@nestjs/common';
import { DocumentSigner } from './document-signer.ts';
import type { PublishedKey } from './published-key.ts';
import { SealingMetrics } from './metrics.ts';
import { TimestampAuthority, TimestampUnavailable } from './timestamp-authority.ts';

/**
 * The two signatures of a document, both by the same key: one inside the file (PAdES), and one over the SHA-256 of the file as it
 * is then. Two KMS calls, and a time-stamp between them where an authority is configured.
 */
@Injectable()
export class DocumentSeal {
  constructor(
    private readonly signer: DocumentSigner,
    @Inject(TimestampAuthority) private readonly authority: TimestampAuthority | null,
    private readonly metrics: SealingMetrics,
  ) {}

  /** PAdES baseline level of what `embed` signs. */
  get level(): 'B-B' | 'B-T' {
    return this.authority === null ? 'B-B' : 'B-T';
  }

  /** The key for a document of a tenant: both signatures are made with it. Throws KmsUnavailable and TenantKeyUnusable. */
  keyOf(tenantId: string): Promise<PublishedKey> {
    return this.signer.keyOf(tenantId);
  }

  /** The deployment's key. Throws KmsUnavailable while it cannot be published. */
  platformKey(): Promise<PublishedKey> {
    return this.signer.platformKey();
  }

  /** Bytes that the file must keep free for the embedded signature. */
  room({ identity }: PublishedKey): number {
    return signatureRoom(identity, this.authority !== null);
  }

  /** Signs a prepared file from within. Answers its final bytes. Throws KmsUnavailable, TenantKeyUnusable and TimestampUnavailable. */
  embed(key: PublishedKey, prepared: PreparedSeal): Promise<Buffer> {
    return seal(prepared, {
      ...key.identity,
      sign: (digest) => this.sign(key, digest),
      ...(this.authority && { timestamp: (digest) => this.timestamp(digest) }),
    });
  }

  /** Throws TimestampUnavailable, also where no authority is configured. */
  timestamp(digest: Buffer): Promise<Buffer> {
    const { authority, metrics } = this;
    if (!authority) return Promise.reject(new TimestampUnavailable('no authority is configured (TSA_URL)'));
    return metrics.stage('timestamp', () => authority.timestamp(digest));
  }

  /** Signs the SHA-256 of the final bytes. Throws KmsUnavailable and TenantKeyUnusable. */
  detach(key: PublishedKey, sha256: Buffer): Promise<Buffer> {
    return this.sign(key, sha256);
  }

  private sign(key: PublishedKey, digest: Buffer): Promise<Buffer> {
    return this.metrics.stage('sign', () => this.signer.sign(key, digest));
  }
}
