import { endedUnsealed, type EnvelopeStatus } from '../envelope-records/envelope-states.ts';

/** States of the check of a signer's identity. requested: the identity module has not answered yet; open: the person can begin. */
export const IDENTITY_STATUSES = [
  'requested', 'open', 'in_review', 'verified', 'name_mismatch', 'not_verified', 'expired', 'refused',
] as const; // prettier-ignore
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

const SETTLED = ['verified', 'name_mismatch', 'not_verified', 'expired', 'refused'] as const satisfies IdentityStatus[];

/**
 * What an answer may make of a check. Answers come late and more than once: what is settled stays, and a review is not reopened by an
 * older answer.
 */
const NEXT: Record<IdentityStatus, readonly IdentityStatus[]> = {
  requested: ['open', 'in_review', ...SETTLED],
  open: ['open', 'in_review', ...SETTLED],
  in_review: SETTLED,
  verified: [],
  name_mismatch: [],
  not_verified: [],
  expired: [],
  refused: [],
};

interface Settled {
  status: IdentityStatus;
  settled_at: Date | null;
}

/** For how long a verified identity gives a proof of authentication. */
export const VERIFIED_HOURS = 24;

/** Whether an identity may be verified for an envelope: to sign, to decline, and to see a document that only authenticated signers see. */
export const isVerifiable = (status: EnvelopeStatus): boolean => !endedUnsealed(status);

/** Whether the identity module still has something to say. */
export function isUnderWay(status: IdentityStatus): boolean {
  return NEXT[status].length > 0;
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

/** Whether an answer may make that of a check. */
export function mayBecome(from: IdentityStatus, to: IdentityStatus): boolean {
  return NEXT[from].includes(to);
}
