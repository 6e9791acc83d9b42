import { verify as verifySignature } from 'node:crypto';
import { ObjectMissing, type ObjectStore } from '../object-store.ts';
import {
  ArchiveDamaged,
  type ArchiveFile,
  type ArchiveHeader,
  readArchive,
  sha256Of,
  writeArchive,
} from './archive-file.ts';

/** The key that signs archives: RSASSA-PKCS1-v1_5 with SHA-256, as `openssl dgst -sha256 -verify` checks it. */
export interface ArchiveKey {
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER), lower-case hex. */
  fingerprint: string;
  publicKeyPem: string;
  sign(digest: Buffer): Promise<Buffer>;
}

/** What the database keeps of a file: enough to find it, and to know that it is the one. */
export interface ArchiveRecord extends ArchiveHeader {
  head_after: string;
  object_key: string;
  bytes: number;
  sha256: string;
  signature: Buffer;
  key_fingerprint: string;
}

/**
 * Archives in the object store: the file, and its detached signature as a second object (`<key>.sig`). A file's name follows from its
 * signature, and so from its bytes and the key: a run that was interrupted writes the same objects again, and two runs never replace each
 * other's, even when the key is replaced between them.
 */
export class SignedArchives {
  constructor(private readonly objects: ObjectStore) {}

  /** Writes and signs a file, and reads it back as anyone would later. Throws StorageUnavailable, what the key throws, ArchiveDamaged. */
  async store(file: ArchiveFile, key: ArchiveKey): Promise<ArchiveRecord> {
    const { rows, ...header } = file;
    const { bytes, sha256, head_after } = writeArchive(file);
    const signature = await key.sign(Buffer.from(sha256, 'hex'));
    const name = `${file.from}-${file.through}-${sha256Of(signature).slice(0, 32)}.ndjson`;
    const object_key = `archives/${file.history}/${file.tenant_id}/${name}`;
    await this.objects.put(object_key, bytes, { contentType: 'application/x-ndjson' });
    await this.objects.put(`${object_key}.sig`, signature, { contentType: 'application/octet-stream' });
    const { fingerprint: key_fingerprint, publicKeyPem } = key;
    const record = { ...header, head_after, object_key, bytes: bytes.length, sha256, signature, key_fingerprint };
    const read = await this.read(record, publicKeyPem);
    if (read.length !== rows.length) throw new ArchiveDamaged('end');
    return record;
  }

  /** The rows of a recorded file. Throws StorageUnavailable, and ArchiveDamaged when it is not, byte for byte, what was signed. */
  async read(record: ArchiveRecord, publicKeyPem: string): Promise<string[]> {
    const [bytes, signature] = [await this.bytesOf(record.object_key), await this.bytesOf(`${record.object_key}.sig`)];
    if (sha256Of(bytes) !== record.sha256) throw new ArchiveDamaged('altered');
    const signed = signature.equals(record.signature) && verifySignature('sha256', bytes, publicKeyPem, signature);
    if (!signed) throw new ArchiveDamaged('signature');
    return readArchive(bytes, record, record.head_after);
  }

  /** Deletes a file that no run will record any more. */
  async discard({ object_key }: Pick<ArchiveRecord, 'object_key'>): Promise<void> {
    await this.objects.delete(object_key);
    await this.objects.delete(`${object_key}.sig`);
  }

  private async bytesOf(key: string): Promise<Buffer> {
    try {
      return await this.objects.get(key);
    } catch (error) {
      if (error instanceof ObjectMissing) throw new ArchiveDamaged('missing');
      throw error;
    }
  }
}
