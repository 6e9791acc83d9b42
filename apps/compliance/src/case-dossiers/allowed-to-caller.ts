import type { Acting, Scope } from '@constancia/contracts';
import { allowedActions, CASE_ACTION_SCOPES, type CaseAction } from '../case-records/case-states.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { mayBeSecondPerson } from '../case-resolutions/second-person.ts';
import type { OwnSettings } from '../settings/compliance-settings.ts';

/** Who asks, and what their credential may do. */
export interface Caller extends Acting {
  scopes: ReadonlySet<Scope>;
  /** The tenant is being closed: nothing is begun again. */
  isClosing: boolean;
}

/** What a caller may do with a case: what its state allows, their scopes cover, and is not theirs as the first of two people. */
export function allowedToCaller(
  found: ReviewCase,
  caller: Caller,
  settings: Pick<OwnSettings, 'trusted_actor'>,
): CaseAction[] {
  return allowedActions(found.status).filter((action) => {
    if (!caller.scopes.has(CASE_ACTION_SCOPES[action])) return false;
    if (caller.isClosing && action === 'reopen') return false;
    const isOfSecond = action === 'confirm' || action === 'return';
    return !isOfSecond || (found.proposal !== null && mayBeSecondPerson(found.proposal, caller, settings));
  });
}
