import type { Actor } from './actors.ts';

/**
 * The identity module asks the compliance module about a person's review of a flow session. May come more than once with the same id:
 * what it does depends on how the case stands, and it is answered each time. A copy of the release before does not know these queues:
 * the review waits.
 */
export interface SessionReviewMessage {
  v: 1;
  /** UUID of the review. */
  id: string;
  tenant_id: string;
  /** Queues.seal of a SessionReviewRequest. */
  sealed: string;
  traceparent?: string;
}

/**
 * decide: this person decided; case_id null: no case is about the session, only the tenant's setting counts. state: how does the case
 * stand?
 */
export type SessionReviewRequest =
  | {
      kind: 'decide';
      case_id: string | null;
      decision: 'approve' | 'reject';
      reason: string;
      actor: string;
      /** Absent in requests of a copy of the release before. */
      by?: Actor;
      /** The same decision of another person waits already. */
      is_second?: boolean;
    }
  | { kind: 'state'; case_id: string };

/** The compliance module answers, with the review's id. */
export interface SessionReviewResultMessage {
  v: 1;
  id: string;
  tenant_id: string;
  /** Queues.seal of a SessionReviewResult. */
  sealed: string;
  traceparent?: string;
}

export type SessionReviewResult =
  /** The case is resolved, or no case is and one person is enough. */
  | { outcome: 'decided'; decision: 'approve' | 'reject' }
  /** Four eyes: another person than `actor` has to decide, too. */
  | { outcome: 'second_person'; decision: 'approve' | 'reject'; actor: string }
  /** The case is open and nobody's decision waits. */
  | { outcome: 'open' }
  /** The same decision would be refused again: what to change, as a sentence. */
  | { outcome: 'refused'; detail: string };
