import type { Actor } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { settingsOf } from '../settings/compliance-settings.ts';
import type { CaseTransition } from '../case-records/case-states.ts';
import type { CaseChange, LockedCase } from '../cases/cases.ts';
import { needsSecondPerson, requireDiscriminatingData } from './four-eyes.ts';
import { resolved } from './resolution.ts';
import type { Proposal, Resolution } from '../case-records/review-case.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';

/**
 * What one person's decision does to a case whose row is locked: it ends it, or, where the tenant asks for four eyes, it waits for
 * another person. Throws ValidationError when it does not say what the United Nations list asks for.
 */
export async function decided(
  tx: Tx,
  { found, transition, resolution }: { found: LockedCase; transition: CaseTransition; resolution: Resolution },
  { actor, by, tenantName }: { actor: string; by: Actor | undefined; tenantName: string },
): Promise<CaseChange> {
  requireDiscriminatingData(resolution, found);
  const { four_eyes } = await settingsOf(tx, found.tenant_id);
  if (transition.toWithFourEyes && needsSecondPerson(four_eyes, found))
    return proposed(found, resolution, { actor, by });
  return resolved(tx, found, resolution, { resolvedBy: actor, approvedBy: null, tenantName });
}

function proposed(
  found: ReviewCase,
  resolution: Resolution,
  { actor, by }: { actor: string; by: Actor | undefined },
): CaseChange {
  const proposal: Proposal = { ...resolution, proposed_by: actor, proposer: by, proposed_at: new Date().toISOString() };
  const data = { ...resolution };
  return {
    columns: { status: 'pending_approval', proposal },
    events: [{ type: 'resolution_proposed', actor, from: found.status, to: 'pending_approval', data }],
    notification: { kind: 'case_awaiting_approval' },
  };
}
