import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import type { Tx } from '@constancia/persistence';
import type { AuthMethod } from '../circuits/circuit.entity.ts';
import { PROOF } from './browser-tokens.ts';
import type { FoundSigner } from './found-signer.ts';
import { SignerProof } from './signer-proof.entity.ts';

/** How long a proof is valid after its last use; PROOF says how long at most. signing.signer_session applies the same. */
const IDLE_MS = 30 * 60_000;

/** A proof as it is returned, once. */
export interface IssuedProof {
  /** 43 characters of base64url: 256 random bits. */
  token: string;
  methods: AuthMethod[];
  expiresAt: Date;
}

/**
 * Replaces the proof of a browser by one that also covers a method; the browser's former token stops working. Of those without a proof it
 * is the first. Expired proofs of the signer are deleted on the way.
 */
export async function issueProof(tx: Tx, found: FoundSigner, method: AuthMethod): Promise<IssuedProof> {
  const { signer_id: signerId, proof_methods: before, proof_created_at: since } = found.facts;
  const createdAt = before === null || since === null ? new Date() : since;
  const methods = [...new Set([...(before ?? []), method])];
  const token = randomBytes(32).toString('base64url');
  await tx.query(
    `delete from signing.signer_proof where signer_id = $1 and (
       hash = $2 or least(used_at + interval '30 minutes', created_at + interval '8 hours') <= now())`,
    [signerId, found.proofHash],
  );
  const proof = {
    hash: hashSecret(token),
    tenant_id: found.tenantId,
    signer_id: signerId,
    methods,
    created_at: createdAt,
  };
  await tx.manager.insert(SignerProof, proof);
  const expiresAt = new Date(Math.min(Date.now() + IDLE_MS, createdAt.getTime() + PROOF.maxAgeSeconds * 1_000));
  return { token, methods, expiresAt };
}
