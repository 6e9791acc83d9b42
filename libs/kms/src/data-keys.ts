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

const ALTERED = 'InvalidCiphertextException';
const ANOTHER_KEY = 'IncorrectKeyException';

/** Makes data keys and unwraps them, with symmetric keys that never leave KMS. */
export class DataKeys {
  private readonly kms: KmsCalls;
  private readonly keyIds: string[];

  /**
   * @param keyIds ids, ARNs or aliases of symmetric KMS keys, comma-separated. The first wraps. What it did not wrap, the others are
   *   asked for in turn, a request each.
   */
  constructor(keyIds: string, options: KmsOptions) {
    this.keyIds = keyIds.split(',');
    this.kms = new KmsCalls(options);
  }

  /** Requests sent to KMS so far, retries included. */
  get requests(): number {
    return this.kms.requests;
  }

  /** A new key (GenerateDataKey, AES-256). Throws KmsUnavailable. */
  async generate(context: EncryptionContext): Promise<DataKey> {
    const [KeyId] = this.keyIds;
    const command = new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: context });
    const made = await this.kms.call((abortSignal) => this.kms.client.send(command, { abortSignal }));
    if (made.Plaintext?.length !== 32 || !made.CiphertextBlob) {
      throw new KmsUnavailable('server-error', 'no data key in the answer');
    }
    return { plaintext: Buffer.from(made.Plaintext), wrapped: Buffer.from(made.CiphertextBlob) };
  }

  /** The 32 bytes of a key that `generate` made for the same context (Decrypt). Throws KmsUnavailable and WrappedKeyRefused. */
  async unwrap(wrapped: Buffer, context: EncryptionContext): Promise<Buffer> {
    let another: unknown;
    for (const KeyId of this.keyIds) {
      const command = new DecryptCommand({ KeyId, CiphertextBlob: wrapped, EncryptionContext: context });
      try {
        const opened = await this.kms.call((abortSignal) => this.kms.client.send(command, { abortSignal }));
        if (opened.Plaintext?.length !== 32) throw new KmsUnavailable('server-error', 'no data key in the answer');
        return Buffer.from(opened.Plaintext);
      } catch (error) {
        const { cause } = error as { cause?: { name?: string } };
        if (cause?.name === ALTERED) throw new WrappedKeyRefused({ cause });
        if (cause?.name !== ANOTHER_KEY) throw error;
        another = cause;
      }
    }
    throw new WrappedKeyRefused({ cause: another });
  }

  close(): void {
    this.kms.close();
  }
}
