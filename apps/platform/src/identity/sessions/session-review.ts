import type { Tx } from '@constancia/persistence';
import { SessionReview } from './session-review.entity.ts';

/** What a reason is sealed for. */
export const reviewContext = (reviewId: string): string => `session_review:${reviewId}`;

/** All reviews of a session, the oldest first. */
export function reviewsOf(tx: Tx, tenantId: string, sessionId: string): Promise<SessionReview[]> {
  return tx.manager.find(SessionReview, {
    where: { tenant_id: tenantId, session_id: sessionId },
    order: { id: 'ASC' },
  });
}

export const isOpen = ({ status }: SessionReview): boolean => status === 'asked' || status === 'waiting';

export async function setReviewStatus(
  tx: Tx,
  { id }: SessionReview,
  status: SessionReview['status'],
  detail: string | null = null,
): Promise<void> {
  await tx.manager.update(SessionReview, { id }, { status, detail });
}
