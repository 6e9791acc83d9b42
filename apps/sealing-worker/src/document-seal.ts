import { type PreparedSeal, seal, signatureRoom } from '@constancia/pdf-sealing';
import { Inject, Injectable } from '@nestjs/common';
import { DocumentSigner, type PublishedKey } from './document-signer.ts';
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

  /** Throws KmsUnavailable while the key cannot be published. */
  key(): Promise<PublishedKey> {
    return this.signer.key();
  }

  /** Bytes that the file must keep free for the embedded signature. Throws KmsUnavailable while the key cannot be published. */
  async room(): Promise<number> {
    const { identity } = await this.signer.key();
    return signatureRoom(identity, this.authority !== null);
  }

  /** Signs a prepared file from within. Answers its final bytes. Throws KmsUnavailable and TimestampUnavailable. */
  async embed(prepared: PreparedSeal): Promise<Buffer> {
    const { identity } = await this.signer.key();
    return seal(prepared, {
      ...identity,
      sign: (digest) => this.sign(digest),
      ...(this.authority && { timestamp: (digest) => this.timestamp(digest) }),
    });
  }

  /** Throws TimestampUnavailable, also where no authority is configured. */
  timestamp(digest: Buffer): Promise<Buffer> {
    const { authority, metrics } = this;
    if (!authority) return Promise.reject(new TimestampUnavailable('no authority is configured (TSA_URL)'));
    return metrics.stage('timestamp', () => authority.timestamp(digest));
  }

  /** Signs the SHA-256 of the final bytes. Throws KmsUnavailable. */
  async detach(sha256: Buffer): Promise<{ keyArn: string; signature: Buffer }> {
    const { keyArn } = await this.signer.key();
    return { keyArn, signature: await this.sign(sha256) };
  }

  private sign(digest: Buffer): Promise<Buffer> {
    return this.metrics.stage('sign', () => this.signer.sign(digest));
  }
}
