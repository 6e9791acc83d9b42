import { UnprocessableEntity } from '@constancia/problem-json';
import type { Tx } from '@constancia/persistence';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import type { AuthMethod } from '../circuits/circuit.entity.ts';
import type { SignerColumns, SignerRow } from '../envelope-records/envelope-rows.ts';
import type { Visitor } from './current-signer.ts';
import type { FoundSigner, SignerFacts } from './found-signer.ts';
import { isProven } from './next-step.ts';
import { type HeldEnvelope, moved, witnessed } from './signer-requests.ts';
import { type IssuedProof, issueProof } from './signer-proofs.ts';

/** Why a code was not accepted. `locked` says the same to a right code and a wrong one. */
export type CodeRefusal = 'wrong' | 'locked' | 'expired';

/** A code that was looked at and not accepted: counted already, and to be reported once that is committed. */
export interface RefusedCode {
  reason: CodeRefusal;
  attemptsLeft: number;
  /** When the lock ends by itself. */
  lockedUntil?: Date;
}

/** Methods that ask for a code. */
export type CodeMethod = Exclude<AuthMethod, 'identity'>;

const SENT_CODE: Record<CodeRefusal, string> = {
  wrong: 'This is not the code that was sent last.',
  locked: 'Too many wrong codes: have another one sent.',
  expired: 'The code is no longer valid: have another one sent.',
};
const SENTENCES: Record<CodeMethod, Record<CodeRefusal, string>> = {
  otp_email: SENT_CODE,
  otp_sms: SENT_CODE,
  otp_whatsapp: SENT_CODE,
  access_code: {
    wrong: 'This is not the access code.',
    locked: 'Too many wrong access codes: wait, then try again.',
    expired: 'The access code is no longer valid.',
  },
};

/** 422: a code that was not accepted. */
export function codeRefused(
  method: CodeMethod,
  { reason, attemptsLeft, lockedUntil }: RefusedCode,
): UnprocessableEntity {
  return new UnprocessableEntity(SENTENCES[method][reason], {
    reason,
    attempts_left: attemptsLeft,
    ...(lockedUntil && { locked_until: lockedUntil.toISOString() }),
  });
}

/** Who authenticates, and for which envelope. */
export interface CodeAsked {
  held: HeldEnvelope;
  found: FoundSigner;
  visitor: Visitor;
}

/**
 * A method is proven: issues the proof of this browser. The last method makes a signer who has consented `authenticated`. To
 * authenticate again, or before consenting, changes nothing of that: the proof alone says who may act. `evidence`: what the trail
 * states in addition.
 */
export async function proven(
  tx: Tx,
  { held, found, visitor }: CodeAsked,
  method: AuthMethod,
  columns: SignerColumns,
  evidence: Record<string, unknown> = {},
): Promise<IssuedProof> {
  const { signer } = held;
  const proof = await issueProof(tx, found, method);
  const complete = isProven({ auth: signer.auth, proven: proof.methods });
  const first = signer.status === 'consented' ? { auth_done: proof.methods } : {};
  const reached = signer.status === 'consented' || signer.status === 'authenticated';
  const change = { ...columns, ...first, ...(complete && reached && { authenticated_at: new Date() }) };
  await moved(tx, signer, complete ? 'authenticate' : 'prove', change);
  await witnessed(tx, held, visitor, 'signer.authenticated', {
    ...evidence,
    method,
    outcome: 'verified',
    complete,
  });
  return proof;
}

/** The same for a signer who authenticated before consenting. */
export function authenticatedEarlier(
  tx: Tx,
  signer: SignerRow,
  { proof_created_at, proof_methods }: SignerFacts,
): Promise<SignerRow> {
  const authenticated_at = proof_created_at ?? new Date();
  const auth_done = signer.auth.filter((method) => proof_methods?.includes(method));
  return moved(tx, signer, 'authenticate', { auth_done, authenticated_at });
}

/** Counts a wrong code. */
export async function missed(
  tx: Tx,
  held: HeldEnvelope,
  visitor: Visitor,
  method: CodeMethod,
  { attemptsLeft, columns }: { attemptsLeft: number; columns: SignerColumns },
): Promise<void> {
  await updateSigner(tx, held.signer, { ...columns, code_misses: held.signer.code_misses + 1 });
  await witnessed(tx, held, visitor, 'signer.otp_failed', { method, outcome: 'wrong', attempts_left: attemptsLeft });
  if (attemptsLeft === 0) await witnessed(tx, held, visitor, 'signer.locked', { method });
}
