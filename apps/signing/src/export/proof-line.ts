import type { Proof } from '../signatures/integrity.ts';

/** What the headers of a download say of a sealed document, in the words of `GET /v1/verify/{public_id}`. */
export function proofLine(id: string, proof: Proof) {
  return {
    id,
    document_sha256: proof.document_sha256?.toString('hex') ?? null,
    kms_key_arn: proof.kms_key_arn,
    signature: proof.signature?.toString('hex') ?? null,
    signature_algorithm: proof.signature_algorithm,
    signed_at: proof.signed_at?.toISOString() ?? null,
  };
}
