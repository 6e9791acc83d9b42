import type { Actor } from '@constancia/contracts';
import { type ActingPerson, isSamePerson } from '@constancia/kernel';
import { Forbidden } from '@constancia/problem-json';
import type { Proposal } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { refusal } from '../cases/cases.ts';
import type { ComplianceSettings } from '../settings/compliance-settings.ts';
import { isSecondPerson, NOT_A_SECOND_PERSON } from '../settings/second-person.ts';

/** Who made a proposal. */
export const proposerOf = ({ proposed_by: actor, proposer }: Proposal): ActingPerson => ({ actor, by: proposer });

/**
 * The proposal that a case waits with. Throws StateConflict for the person who made it, and Forbidden for one who cannot be a second
 * person.
 */
export function proposalOfAnother(
  found: ReviewCase,
  acting: { actor: string; by?: Actor | undefined },
  settings: Pick<ComplianceSettings, 'trusted_actor'>,
): Proposal {
  const proposal = found.proposal as Proposal; // the table keeps: pending_approval has one
  if (isSamePerson(proposerOf(proposal), acting)) {
    throw refusal(found, 'Another person than the one who proposed it must confirm or return this.');
  }
  if (!isSecondPerson(acting.by, settings)) throw new Forbidden(NOT_A_SECOND_PERSON);
  return proposal;
}

/** The proposal of the person who acts. Throws StateConflict for anybody else. */
export function ownProposal(found: ReviewCase, acting: ActingPerson): Proposal {
  const proposal = found.proposal as Proposal;
  if (isSamePerson(proposerOf(proposal), acting)) return proposal;
  throw refusal(found, 'Only the person who proposed it may withdraw this: another one confirms or returns it.');
}

/** Whether proposalOfAnother would let a person decide. */
export function mayBeSecondPerson(
  proposal: Proposal,
  acting: ActingPerson & { by?: Actor | undefined },
  settings: Pick<ComplianceSettings, 'trusted_actor'>,
): boolean {
  return !isSamePerson(proposerOf(proposal), acting) && isSecondPerson(acting.by, settings);
}
