import { canonicalJson } from '@constancia/kernel';
import type { ChainedEvent, Tx } from '@constancia/persistence';
import type { SubjectKey } from '@constancia/personal-data';
import { CaseEventRow } from './case-event.entity.ts';
import type { CaseStatus } from './case-states.ts';
import { openTexts, sealTexts } from './event-texts.ts';

/** Everything that a timeline records. */
export const CASE_EVENT_TYPES = [
  'opened', 'screening_attached', 'rescreened', 'assigned', 'unassigned', 'commented', 'escalated', 'resolution_proposed',
  'resolution_returned', 'resolved', 'reopened', 'hit_dismissed', 'hit_confirmed', 'sla_breached', 'ros_drafted',
  'attached', 'resolution_withdrawn',
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

/** An event as it is shown: the members that are hashed, with the texts that are sealed with it, and `hash`. */
export interface CaseEvent extends ChainedEvent {
  type: CaseEventType;
  actor: string;
  at: string;
  from: CaseStatus | null;
  to: CaseStatus;
  data: Record<string, unknown>;
}

/** Whose events, and what their texts are sealed with; key null: they stay in the clear. */
export interface EventSealing {
  caseId: string;
  key: SubjectKey | null;
}

/** Events as the store's functions take them: `data` canonical, as text. */
export function eventArgs(events: readonly NewCaseEvent[], { caseId, key }: EventSealing): Record<string, unknown>[] {
  return events.map((event) => {
    const texts = key && sealTexts(key, caseId, event.data);
    if (!texts) return { ...event, data: canonicalJson(event.data) };
    return { ...event, data: canonicalJson(texts.data), sealed: texts.sealed.toString('hex') };
  });
}

/** Adds events to the timeline of a case whose row the transaction holds. */
export async function appendEvents(
  tx: Tx,
  { tenantId, caseId, key }: EventSealing & { tenantId: string },
  events: readonly NewCaseEvent[],
): Promise<void> {
  await tx.query('select compliance.append_case_events($1, $2, $3)', [
    tenantId,
    caseId,
    JSON.stringify(eventArgs(events, { caseId, key })),
  ]);
}

/** The timeline of a case, the oldest event first. Without the key of its subject, what is sealed of it is left out. */
export async function timelineOf(
  tx: Tx,
  tenantId: string,
  caseId: string,
  key: SubjectKey | null = null,
): Promise<CaseEvent[]> {
  const where = { tenant_id: tenantId, case_id: caseId };
  const rows = await tx.manager.find(CaseEventRow, { where, order: { seq: 'ASC' } });
  return rows.map((row) => caseEvent(row, key));
}

/** An event as it is shown, member by member. */
export function caseEvent(row: CaseEventRow, key: SubjectKey | null): CaseEvent {
  const { case_id, seq, type, actor, at, from, to, data: stored, prev_hash, hash, sealed } = row;
  const clear = JSON.parse(stored) as Record<string, unknown>;
  const data = key && sealed ? openTexts(key, case_id, clear, sealed) : clear;
  return { seq, type, actor, at: at.toISOString(), from, to, data, prev_hash, hash } as CaseEvent;
}
