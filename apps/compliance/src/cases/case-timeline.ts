import { canonicalJson } from '@constancia/kernel';
import type { ChainedEvent, Tx } from '@constancia/persistence';
import type { CaseStatus } from './case-states.ts';

/** Everything that a timeline tells. */
export const CASE_EVENT_TYPES = [
  'opened', 'screening_attached', 'rescreened', 'assigned', 'unassigned', 'commented', 'escalated', 'resolution_proposed',
  'resolution_returned', 'resolved', 'reopened', 'hit_dismissed', 'hit_confirmed', 'sla_breached', 'ros_drafted',
] as const; // prettier-ignore
export type CaseEventType = (typeof CASE_EVENT_TYPES)[number];

/** An event that is about to be added. */
export interface NewCaseEvent {
  type: CaseEventType;
  actor: string;
  from: CaseStatus | null;
  to: CaseStatus;
  data: Record<string, unknown>;
}

/** An event as it is shown: exactly the members that are hashed, and `hash`. */
export interface CaseEvent extends ChainedEvent {
  type: CaseEventType;
  actor: string;
  at: string;
  from: CaseStatus | null;
  to: CaseStatus;
  data: Record<string, unknown>;
}

/** Events as the store's functions take them: `data` canonical, as text. */
export function eventArgs(events: readonly NewCaseEvent[]): Record<string, unknown>[] {
  return events.map((event) => ({ ...event, data: canonicalJson(event.data) }));
}

/** Adds events to the timeline of a case whose row the transaction holds. */
export async function appendEvents(
  tx: Tx,
  { tenantId, caseId }: { tenantId: string; caseId: string },
  events: readonly NewCaseEvent[],
): Promise<void> {
  await tx.query('select compliance.append_case_events($1, $2, $3)', [
    tenantId,
    caseId,
    JSON.stringify(eventArgs(events)),
  ]);
}

/** The timeline of a case, the oldest event first. */
export async function timelineOf(tx: Tx, tenantId: string, caseId: string): Promise<CaseEvent[]> {
  const rows = await tx.query<Omit<CaseEvent, 'at' | 'data'> & { at: Date; data: string }>(
    `select seq, type, actor, at, "from", "to", data, prev_hash, hash from compliance.case_event
      where tenant_id = $1 and case_id = $2 order by seq`,
    [tenantId, caseId],
  );
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    data: JSON.parse(row.data) as Record<string, unknown>,
  }));
}
