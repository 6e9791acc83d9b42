import type { Proof, PublicEnvelope, SealedDocument } from './answers.ts';
import { documentWith } from './answers.ts';
import { sha256Hex } from './digest.ts';
import { isPublished, publishedKey, signatureHolds } from './published-key.ts';
import { keysIn } from './keys-in-file.ts';

/** More than any document of the service has: larger files are not read into memory. */
const LARGEST_FILE_BYTES = 128 * 1024 * 1024;

/**
 * What a file turned out to be. authentic: the sealed bytes, and the signature over them holds; unproven: the sealed bytes by
 * their hash, but the signature does not hold; unsigned: the PDF that was sent to be signed; other: sealed here, but of another envelope
 * than the page shows; altered: not as it was sealed, though it carries a seal by a key of the service; unknown: another file; unreadable: too large, or the browser could not read it; no_answer: the service could not be asked.
 */
export type FileVerdict =
  | { outcome: 'authentic' | 'unproven'; sha256: string; proof: Proof; document: SealedDocument | null }
  | { outcome: 'unsigned' | 'altered' | 'unknown'; sha256: string }
  | { outcome: 'other'; sha256: string; publicId: string | null }
  | { outcome: 'unreadable' | 'no_answer' };

/** Compares a file with the envelope that the page shows, or, without one, with everything that was sealed here. */
export async function checkFile(file: Blob, envelope: PublicEnvelope | null): Promise<FileVerdict> {
  const bytes = await read(file);
  if (bytes === null) return { outcome: 'unreadable' };
  const sha256 = await sha256Hex(bytes);
  try {
    return envelope ? await againstEnvelope(bytes, sha256, envelope) : await againstAll(bytes, sha256);
  } catch {
    return { outcome: 'no_answer' };
  }
}

async function read(file: Blob): Promise<Uint8Array<ArrayBuffer> | null> {
  if (file.size > LARGEST_FILE_BYTES) return null;
  return file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => null,
  );
}

async function againstEnvelope(
  bytes: Uint8Array<ArrayBuffer>,
  sha256: string,
  envelope: PublicEnvelope,
): Promise<FileVerdict> {
  if (sha256 === envelope.document_sha256) return proven(bytes, sha256, envelope, null);
  if (sha256 === envelope.base_document_sha256) return { outcome: 'unsigned', sha256 };
  const other = await documentWith(sha256);
  if (other !== null && other.public_id === envelope.public_id) return proven(bytes, sha256, other, null); // a later revision of it
  if (other !== null) return { outcome: 'other', sha256, publicId: other.public_id };
  return notAsSealed(bytes, sha256);
}

async function againstAll(bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<FileVerdict> {
  const document = await documentWith(sha256);
  if (document === null) return notAsSealed(bytes, sha256);
  return proven(bytes, sha256, document, document);
}

/** A file whose bytes are no sealed document's: one of ours that was changed, or one from elsewhere. */
async function notAsSealed(bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<FileVerdict> {
  for (const fingerprint of await keysIn(bytes)) {
    if (await isPublished(fingerprint)) return { outcome: 'altered', sha256 };
  }
  return { outcome: 'unknown', sha256 };
}

async function proven(
  bytes: Uint8Array<ArrayBuffer>,
  sha256: string,
  proof: Proof,
  document: SealedDocument | null,
): Promise<FileVerdict> {
  if (proof.public_key_url === null || proof.signature === null)
    return { outcome: 'unproven', sha256, proof, document };
  const key = await publishedKey(proof.public_key_url);
  const holds = await signatureHolds(key, proof.signature, bytes);
  return { outcome: holds ? 'authentic' : 'unproven', sha256, proof, document };
}
