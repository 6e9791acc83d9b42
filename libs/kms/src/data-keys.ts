import { DecryptCommand, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
import { KmsCalls, type KmsOptions } from './kms-calls.ts';
import { KmsUnavailable } from './kms-unavailable.ts';

/** What a wrapped key belongs to. Not secret (KMS writes it into its log), but authenticated: another context opens nothing. */
export type EncryptionContext = Record<string, string>;

/** A key for AES-256-GCM: `plaintext` (32 bytes) to work with, `wrapped` to keep. */
export interface DataKey {
  plaintext: Buffer;
  wrapped: Buffer;
}

/** The wrapped bytes were altered, or belong to another context or key. Asking again is of no use. */
export class WrappedKeyRefused extends Error {
  constructor(options?: ErrorOptions) {
    super('KMS does not unwrap this key: it was altered, or it belongs to another context or KMS key', options);
    this.name = 'WrappedKeyRefused';
  }
}

const REFUSED = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/** Makes data keys and unwraps them, with a symmetric key that never leaves KMS. */
export class DataKeys {
  private readonly kms: KmsCalls;

  /** @param keyId id, ARN or alias of the symmetric KMS key */
  constructor(
    private readonly keyId: string,
    options: KmsOptions,
  ) {
    this.kms = new KmsCalls(options);
  }

  /** Requests sent to KMS so far, retries included. */
  get requests(): number {
    return this.kms.requests;
  }

  /** A new key (GenerateDataKey, AES-256). Throws KmsUnavailable. */
  async generate(context: EncryptionContext): Promise<DataKey> {
    const command = new GenerateDataKeyCommand({ KeyId: this.keyId, KeySpec: 'AES_256', EncryptionContext: context });
    const made = await this.kms.call((abortSignal) => this.kms.client.send(command, { abortSignal }));
    if (made.Plaintext?.length !== 32 || !made.CiphertextBlob) {
      throw new KmsUnavailable('server-error', 'no data key in the answer');
    }
    return { plaintext: Buffer.from(made.Plaintext), wrapped: Buffer.from(made.CiphertextBlob) };
  }

  /** The 32 bytes of a key that `generate` made for the same context (Decrypt). Throws KmsUnavailable and WrappedKeyRefused. */
  async unwrap(wrapped: Buffer, context: EncryptionContext): Promise<Buffer> {
    const command = new DecryptCommand({ KeyId: this.keyId, CiphertextBlob: wrapped, EncryptionContext: context });
    const opened = await this.kms.call((abortSignal) => this.kms.client.send(command, { abortSignal })).catch(refused);
    if (opened.Plaintext?.length !== 32) throw new KmsUnavailable('server-error', 'no data key in the answer');
    return Buffer.from(opened.Plaintext);
  }

  close(): void {
    this.kms.close();
  }
}

function refused(error: unknown): never {
  const { cause } = error as { cause?: { name?: string } };
  throw cause?.name !== undefined && REFUSED.has(cause.name) ? new WrappedKeyRefused({ cause }) : error;
}
