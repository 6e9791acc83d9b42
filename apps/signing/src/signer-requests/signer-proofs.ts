import { createHash, randomBytes } from 'node:crypto';
import { cookieNamed, isSameOrigin, type PathRequest } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import type { AuthMethod } from '../circuits/circuit.entity.ts';
import type { FoundSigner } from './found-signer.ts';
import { SignerProof } from './signer-proof.entity.ts';

/** How long a proof is valid: after its last use, and at most. signing.signer_session applies the same. */
const PROOF = { idleMs: 30 * 60_000, maxMs: 8 * 3_600_000 } as const;

const PROOF_HEADER = 'x-sign-proof';
const COOKIE = 'sign_proof';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

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
  const proof = { hash: hashOf(token), tenant_id: found.tenantId, signer_id: signerId, methods, created_at: createdAt };
  await tx.manager.insert(SignerProof, proof);
  const expiresAt = new Date(Math.min(Date.now() + PROOF.idleMs, createdAt.getTime() + PROOF.maxMs));
  return { token, methods, expiresAt };
}

/** SHA-256 of the proof that came with a request; null when there is none, or none that counts. */
export function proofHashOf(request: PathRequest): Buffer | null {
  const header = request.headers[PROOF_HEADER];
  if (typeof header === 'string') return TOKEN.test(header) ? hashOf(header) : null;
  if (request.host !== 'page' || !isSameOrigin(request)) return null;
  const token = cookieNamed(COOKIE, TOKEN, request);
  return token === undefined ? null : hashOf(token);
}

/** What is kept of a token. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The cookie that holds a proof: sent to the paths of its own link alone, so that two links in one browser do not mix. */
export function proofCookie(proof: string, linkToken: string, secure: boolean): string {
  const attributes = [
    `${COOKIE}=${proof}`,
    `Path=/v1/sign/${linkToken}`,
    `Max-Age=${PROOF.maxMs / 1000}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
  ];
  return attributes.join('; ');
}
