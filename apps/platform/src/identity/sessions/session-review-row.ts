import type { Tx } from '@constancia/persistence';

/** A row of identity.session_review: what one person decided about a session. Ids are UUIDs. */
export interface SessionReviewRow {
  id: string;
  tenant_id: string;
  session_id: string;
  decision: 'approve' | 'reject';
  actor: string;
  sealed_reason: Buffer | null;
  status: 'asked' | 'waiting' | 'decided' | 'refused' | 'superseded';
  /** Why the compliance module refuses it. */
  detail: string | null;
  traceparent: string | null;
  created_at: Date;
}

/** What a reason is sealed for. */
export const reviewContext = (reviewId: string): string => `session_review:${reviewId}`;

/** All reviews of a session, the oldest first. */
export function reviewsOf(tx: Tx, tenantId: string, sessionId: string): Promise<SessionReviewRow[]> {
  return tx.query<SessionReviewRow>(
    'select * from identity.session_review where tenant_id = $1 and session_id = $2 order by id',
    [tenantId, sessionId],
  );
}

export const isOpen = ({ status }: SessionReviewRow): boolean => status === 'asked' || status === 'waiting';

export async function setReviewStatus(
  tx: Tx,
  { id }: Pick<SessionReviewRow, 'id'>,
  status: SessionReviewRow['status'],
  detail: string | null = null,
): Promise<void> {
  await tx.query('update identity.session_review set status = $2, detail = $3 where id = $1', [id, status, detail]);
}
