import { UnprocessableEntity } from '@constancia/problem-json';
import type { Tx } from '@constancia/persistence';
import { updateSigner } from '../envelopes/envelope-changes.ts';
import type { AuthMethod, SignerColumns } from '../envelopes/envelope-rows.ts';
import type { Visitor } from './current-signer.ts';
import { dueAuthentication } from './next-step.ts';
import { type HeldEnvelope, moved, witnessed } from './signer-desk.ts';

/** Why a code was not accepted. `locked` says the same to a right code and a wrong one. */
export type CodeRefusal = 'wrong' | 'locked' | 'expired';

/** A code that was looked at and not accepted: counted already, and to be told once that is committed. */
export interface RefusedCode {
  reason: CodeRefusal;
  attemptsLeft: number;
  /** When the lock ends by itself. */
  lockedUntil?: Date;
}

const SENTENCES: Record<AuthMethod, Record<CodeRefusal, string>> = {
  otp_email: {
    wrong: 'This is not the code that was sent last.',
    locked: 'Too many wrong codes: have another one sent.',
    expired: 'The code is no longer valid: have another one sent.',
  },
  access_code: {
    wrong: 'This is not the access code.',
    locked: 'Too many wrong access codes: wait, then try again.',
    expired: 'The access code is no longer valid.',
  },
};

/** 422: a code that was not accepted. */
export function codeRefused(
  method: AuthMethod,
  { reason, attemptsLeft, lockedUntil }: RefusedCode,
): UnprocessableEntity {
  return new UnprocessableEntity(SENTENCES[method][reason], {
    reason,
    attempts_left: attemptsLeft,
    ...(lockedUntil && { locked_until: lockedUntil.toISOString() }),
  });
}

/** Marks a method as done: the last one makes the signer `authenticated`. */
export async function proven(
  tx: Tx,
  held: HeldEnvelope,
  visitor: Visitor,
  method: AuthMethod,
  columns: SignerColumns,
): Promise<void> {
  const { signer } = held;
  const auth_done = [...signer.auth_done, method];
  const complete = dueAuthentication({ auth: signer.auth, auth_done }) === undefined;
  const change = { ...columns, auth_done, ...(complete && { authenticated_at: new Date() }) };
  await moved(tx, signer, complete ? 'authenticate' : 'prove', change);
  await witnessed(tx, held, visitor, 'signer.authenticated', { method, outcome: 'verified', complete });
}

/** Counts a wrong code. */
export async function missed(
  tx: Tx,
  held: HeldEnvelope,
  visitor: Visitor,
  method: AuthMethod,
  { attemptsLeft, columns }: { attemptsLeft: number; columns: SignerColumns },
): Promise<void> {
  await updateSigner(tx, held.signer, { ...columns, code_misses: held.signer.code_misses + 1 });
  await witnessed(tx, held, visitor, 'signer.otp_failed', { method, outcome: 'wrong', attempts_left: attemptsLeft });
  if (attemptsLeft === 0) await witnessed(tx, held, visitor, 'signer.locked', { method });
}
