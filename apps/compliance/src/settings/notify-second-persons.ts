import type { Actor } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';

/** What waits for a second person: a case, or a draft of rules with its code. */
export interface AwaitedBySecondPerson {
  kind: 'case_awaiting_approval' | 'rules_awaiting_publication';
  tenantId: string;
  /** UUID of the case or of the validation. */
  id: string;
  /** What makes this one of its kind: each is notified of once. */
  occasion: string;
  title: string | null;
}

/** Notifies the members who may be the second person, but not the first, in the transaction of what the first one did. */
export async function notifySecondPersons(
  tx: Tx,
  { kind, tenantId, id, occasion, title }: AwaitedBySecondPerson,
  first: { actor: string; by: Actor | undefined },
): Promise<void> {
  const memberId = first.by?.kind === 'member' ? first.by.id : null;
  const values = [tenantId, kind, id, occasion, memberId, first.actor, title];
  await tx.query('select platform_v1.notify_second_persons($1, $2, $3, $4, $5, $6, $7)', values);
}
