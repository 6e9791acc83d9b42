import { canonicalJson } from '@constancia/kernel';
import type { ChainedEvent, Tx } from '@constancia/persistence';
import { SessionEvent } from './session-event.entity.ts';
import type { SessionStatus } from './session-states.ts';

/** Everything that a trail records. */
export const TRAIL_TYPES = [
  'opened', 'consent_given', 'step_started', 'step_accepted', 'step_skipped', 'step_flagged', 'step_retry', 'step_failed',
  'step_rejected', 'challenge_issued', 'referred', 'reviewed', 'case_resolved', 'completed', 'rejected', 'expired', 'erased',
  'handed_over', 'device_changed', 'cancelled',
] as const; // prettier-ignore
export type TrailType = (typeof TRAIL_TYPES)[number];

/** An event that is about to be added. `data` holds ids, words and numbers: nothing personal. */
export interface NewTrailEvent {
  type: TrailType;
  /** `subject` (the session’s bearer), the prefix of an API key or its X-Actor, `system`, `compliance` or `signing`. */
  actor: string;
  step: string | null;
  from: SessionStatus | null;
  to: SessionStatus;
  data: Record<string, unknown>;
}

/** An event as it is shown: exactly the members that are hashed, and `hash`. */
export type TrailEvent = NewTrailEvent & ChainedEvent & { at: string };

/** Adds events to a session's trail, in the caller's transaction. */
export async function appendTrail(
  tx: Tx,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  events: readonly NewTrailEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ ...event, data: canonicalJson(event.data) }));
  await tx.query('select identity.append_session_events($1, $2, $3)', [tenantId, sessionId, JSON.stringify(rows)]);
}

/** The trail of a session, the oldest event first. */
export async function trailOf(tx: Tx, tenantId: string, sessionId: string): Promise<TrailEvent[]> {
  const where = { tenant_id: tenantId, session_id: sessionId };
  const rows = await tx.manager.find(SessionEvent, { where, order: { seq: 'ASC' } });
  return rows.map(trailEvent);
}

/** The columns of a row. */
export type TrailRow = { [Column in keyof SessionEvent]: SessionEvent[Column] };

/** An event as it is shown. */
export function trailEvent({ tenant_id: _tenant, session_id: _session, ...event }: TrailRow): TrailEvent {
  return {
    ...(event as unknown as NewTrailEvent & SessionEvent),
    at: event.at.toISOString(),
    data: JSON.parse(event.data) as Record<string, unknown>,
  };
}
