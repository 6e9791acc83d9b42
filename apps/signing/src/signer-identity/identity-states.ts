import type { EnvelopeStatus } from '../envelope-records/envelope-states.ts';

/** States of the check of a signer's identity. requested: the identity module has not answered yet; open: the person can begin. */
export const IDENTITY_STATUSES = [
  'requested', 'open', 'in_review', 'verified', 'name_mismatch', 'not_verified', 'expired', 'refused',
] as const; // prettier-ignore
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

const UNDER_WAY: readonly IdentityStatus[] = ['requested', 'open', 'in_review'];

interface Settled {
  status: IdentityStatus;
  settled_at: Date | null;
}

/** For how long a verified identity gives a proof of authentication. */
export const VERIFIED_HOURS = 24;

/** Envelopes for which an identity may be verified: to sign, to decline, and to see a document that only authenticated signers see. */
const VERIFIABLE: readonly EnvelopeStatus[] = ['sent', 'in_progress', 'sealing', 'sealed'];

export const isVerifiable = (status: EnvelopeStatus): boolean => VERIFIABLE.includes(status);

/** Whether the identity module still has something to say. */
export function isUnderWay(status: IdentityStatus): boolean {
  return UNDER_WAY.includes(status);
}

/** The status as it counts now: a verified identity counts for VERIFIED_HOURS. */
export function presentStatus({ status, settled_at }: Settled): IdentityStatus {
  const over = settled_at !== null && settled_at.getTime() + VERIFIED_HOURS * 3_600_000 <= Date.now();
  return status === 'verified' && over ? 'expired' : status;
}

/** Whether the browser that began a check goes on with it instead of beginning another one. */
export function isUsable(check: Settled): boolean {
  const status = presentStatus(check);
  return isUnderWay(status) || status === 'verified';
}

/**
 * Whether an answer may take a check there. Answers come late and more than once: what is settled stays, and a review is not reopened by an
 * older answer.
 */
export function mayBecome(from: IdentityStatus, to: IdentityStatus): boolean {
  if (!isUnderWay(from)) return false;
  return UNDER_WAY.indexOf(to) === -1 || UNDER_WAY.indexOf(to) > UNDER_WAY.indexOf(from);
}
