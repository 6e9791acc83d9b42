import { sameActor } from '@constancia/kernel';
import { refusal } from '../cases/cases.ts';
import type { Proposal } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';

/** The proposal that a case waits with; 409 for the person who made it. */
export function proposalOfAnother(found: ReviewCase, actor: string): Proposal {
  const proposal = found.proposal as Proposal; // the table keeps: pending_approval has one
  if (!sameActor(proposal.proposed_by, actor)) return proposal;
  throw refusal(
    found,
    'Another person must confirm or return this: send a different X-Actor than the one who proposed it.',
  );
}
