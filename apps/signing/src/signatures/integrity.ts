import { createHash, verify } from 'node:crypto';
import { StateConflict } from '@constancia/problem-json';
import type { DocumentRevision } from '../evidence/document-revision.entity.ts';
import type { SignatureRequest } from './signature-request.entity.ts';

/** The columns of what proves a sealed document, null until there is one. */
type ProofColumn = 'document_sha256' | 'kms_key_arn' | 'signature' | 'signature_algorithm' | 'signed_at';
export type Proof = Pick<SignatureRequest, ProofColumn>;

/** What proves a sealed document, and where it is. */
export type SealedDocument = {
  [Column in ProofColumn | 'document_key' | 'document_size']: NonNullable<SignatureRequest[Column]>;
};

const NOT_SIGNED = {
  pending: 'The request is not signed yet: ask again when its status is signed.',
  failed: 'The request failed: there is no signed document. Read failure_reason.',
} as const;

/** The sealed document of a request. Throws StateConflict while there is none. */
export function sealedDocument(row: SignatureRequest): SealedDocument {
  if (row.status !== 'signed') throw new StateConflict(NOT_SIGNED[row.status]);
  return row as SealedDocument; // the table checks that a signed row is whole
}

/**
 * The headers that let a third party verify the document offline, and `name` (.pdf) as the name of the file. X-Kms-Signature repeats
 * X-Signature: clients read either.
 */
export function integrityHeaders(document: SealedDocument, name: string): Record<string, string> {
  const sha256 = document.document_sha256.toString('hex');
  const signature = document.signature.toString('hex');
  return {
    'X-Document-SHA256': sha256,
    'X-KMS-Key-ARN': document.kms_key_arn,
    'X-Signature-Algorithm': document.signature_algorithm,
    'X-Signature': signature,
    'X-Kms-Signature': signature,
    ETag: `"${sha256}"`,
    'Content-Disposition': `attachment; filename="${name}.pdf"`,
    'Cache-Control': 'private, no-cache', // may be kept, but is asked for again with If-None-Match
  };
}

/**
 * Hashes bytes and verifies a detached signature over their digest: RSA PKCS#1 v1.5 with SHA-256, here, with the public keys
 * (any of them may have made it).
 */
export function verifyDetached(
  bytes: Buffer,
  signature: Buffer,
  publicKeysPem: string[],
): { sha256: Buffer; signed: boolean } {
  return {
    sha256: createHash('sha256').update(bytes).digest(),
    signed: publicKeysPem.some((pem) => verify('RSA-SHA256', bytes, pem, signature)),
  };
}

/** A sealed document as one of its revisions: other bytes, signed at the same time. */
export function asRevised(document: SealedDocument, revision: DocumentRevision | null): SealedDocument {
  if (!revision) return document;
  const { document_sha256, document_key, document_size, kms_key_arn, signature, signature_algorithm } = revision;
  return {
    ...{ document_sha256, document_key, document_size, kms_key_arn, signature, signature_algorithm },
    signed_at: document.signed_at,
  };
}
