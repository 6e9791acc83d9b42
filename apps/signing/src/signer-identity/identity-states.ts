/** States of the check of a signer's identity. requested: the identity module has not answered yet; open: the person can begin. */
export const IDENTITY_STATUSES = [
  'requested', 'open', 'in_review', 'verified', 'name_mismatch', 'not_verified', 'expired', 'refused',
] as const; // prettier-ignore
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

const UNDER_WAY: readonly IdentityStatus[] = ['requested', 'open', 'in_review'];

/** Whether the identity module still has something to say. */
export function isUnderWay(status: IdentityStatus): boolean {
  return UNDER_WAY.includes(status);
}

/**
 * Whether an answer may take a check there. Answers come late and more than once: what is settled stays, and a review is not reopened by an
 * older answer.
 */
export function mayBecome(from: IdentityStatus, to: IdentityStatus): boolean {
  if (!isUnderWay(from)) return false;
  return UNDER_WAY.indexOf(to) === -1 || UNDER_WAY.indexOf(to) > UNDER_WAY.indexOf(from);
}
