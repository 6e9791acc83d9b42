import type { Tx } from '@constancia/persistence';
import type { SessionReview } from '../sessions/session-review.entity.ts';

/** Notifies the members who may be the second person of a review without a case, but not the first: once, however often it is repeated. */
export async function notifySecondPersons(
  tx: Tx,
  { id, tenant_id, session_id, actor, by }: SessionReview,
): Promise<void> {
  const memberId = by?.kind === 'member' ? by.id : null;
  const values = [tenant_id, 'session_awaiting_approval', session_id, id, memberId, actor, null];
  await tx.query('select platform_v1.notify_second_persons($1, $2, $3, $4, $5, $6, $7)', values);
}
