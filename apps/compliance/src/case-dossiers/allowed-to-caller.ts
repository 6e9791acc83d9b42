import type { Acting, Scope } from '@constancia/contracts';
import { isSamePerson } from '@constancia/kernel';
import { allowedActions, CASE_ACTION_SCOPES, type CaseAction } from '../case-records/case-states.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { mayBeSecondPerson, proposerOf } from '../case-resolutions/second-person.ts';
import type { OwnSettings } from '../settings/compliance-settings.ts';

/** Who asks, and what their credential may do. */
export interface Caller extends Acting {
  scopes: ReadonlySet<Scope>;
  /** The tenant is being closed: nothing is begun again. */
  isClosing: boolean;
}

/** What a caller may do with a case: what its state allows, their scopes cover, and is theirs as the first or the second of two people. */
export function allowedToCaller(
  found: ReviewCase,
  caller: Caller,
  settings: Pick<OwnSettings, 'trusted_actor'>,
): CaseAction[] {
  return allowedActions(found.status).filter((action) => {
    if (!caller.scopes.has(CASE_ACTION_SCOPES[action])) return false;
    if (caller.isClosing && action === 'reopen') return false;
    const { proposal } = found;
    if (action === 'withdraw') return proposal !== null && isSamePerson(proposerOf(proposal), caller);
    const isOfSecond = action === 'confirm' || action === 'return';
    return !isOfSecond || (proposal !== null && mayBeSecondPerson(proposal, caller, settings));
  });
}
