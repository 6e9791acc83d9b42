import { DomainError } from '@constancia/kernel';
import { KmsUnavailable, type SigningKms } from '@constancia/kms';
import type { Database } from '@constancia/persistence';
import type { ArchiveKeyRow } from './archive-key.entity.ts';
import type { ArchiveKey } from './signed-archives.ts';

export interface ArchiveKeysOptions {
  /** Of the module: the one that `archiveKeysSchema` was given. */
  schema: string;
  database: Pick<Database, 'query'>;
  kms: Pick<SigningKms, 'publicKey' | 'sign'>;
  /** Id, ARN or alias of an RSA key; undefined: nothing can be archived, and what was archived can be read. */
  keyId: string | undefined;
}

/** Nothing can be signed, or the key that signed a file is not known here. The message says what to do. */
export class ArchiveKeyUnavailable extends DomainError {
  readonly code = 'archive_key_unavailable';
}

/** The keys of a module's archives: the one in KMS that signs now, and the public ones of all that ever signed, in the module's schema. */
export class ArchiveKeys {
  private published: Promise<ArchiveKey> | undefined;

  constructor(private readonly options: ArchiveKeysOptions) {}

  /** The key that signs now; its public half is in the schema before it signs anything. Throws ArchiveKeyUnavailable. */
  async archiveKey(): Promise<ArchiveKey> {
    const { keyId } = this.options;
    if (keyId === undefined)
      throw new ArchiveKeyUnavailable(
        'This deployment has no key that signs archives: set ARCHIVE_KEY_ID to an RSA key in KMS (docs/guides/deploy.md).',
      );
    this.published ??= this.publish(keyId);
    try {
      return await this.published;
    } catch (error) {
      this.published = undefined;
      throw error;
    }
  }

  /** Every key that has signed, the newest first, 1,000 at most. */
  list(): Promise<ArchiveKeyRow[]> {
    return this.options.database.query<ArchiveKeyRow>(`select * from ${this.options.schema}.archive_keys()`);
  }

  /** The PEM of the key with this fingerprint (lower-case hex). Throws ArchiveKeyUnavailable when it has signed nothing here. */
  async publicKeyPem(fingerprint: string): Promise<string> {
    const keys = await this.list();
    const key = keys.find((row) => row.fingerprint.toString('hex') === fingerprint);
    if (key) return key.public_key_pem;
    throw new ArchiveKeyUnavailable(`The database has no key ${fingerprint}, which signed this file.`);
  }

  /** By ARN from here on, since an alias may be pointed at another key. */
  private async publish(keyId: string): Promise<ArchiveKey> {
    const { schema, database, kms } = this.options;
    const { keyArn, pem, fingerprint } = await kms.publicKey(keyId).catch(unavailable);
    await database.query(`select ${schema}.keep_archive_key($1, $2, $3)`, [
      Buffer.from(fingerprint, 'hex'),
      keyArn,
      pem,
    ]);
    return { fingerprint, publicKeyPem: pem, sign: (digest) => kms.sign(keyArn, digest).catch(unavailable) };
  }
}

function unavailable(error: unknown): never {
  if (!(error instanceof KmsUnavailable)) throw error;
  const message = error.retryable
    ? 'The key that signs archives cannot be reached at present: try again.'
    : 'The key that signs archives does not sign: ARCHIVE_KEY_ID must be an RSA key in KMS that this process may use (kms:Sign, kms:GetPublicKey).';
  throw new ArchiveKeyUnavailable(message, error);
}
