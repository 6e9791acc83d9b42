import type { Actor } from '@constancia/contracts';
import { emitEvent } from '@constancia/events';
import { ageOn, bogotaDay } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { updateSession } from './session-changes.ts';
import { sessionEvent, verifiedEvent } from './session-events.ts';
import type { KycStatus } from '../subjects/subject.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import type { Subjects } from '../subjects/subjects.ts';
import { currentStep, type FlowSession, type SessionColumns } from './session-row.ts';
import { type SessionAction, type SessionStatus, sessionTransition } from './session-states.ts';
import { appendTrail, type NewTrailEvent, type TrailType } from './session-trail.ts';

/** A move of a session whose row this transaction holds. */
export interface SessionMove {
  session: FlowSession;
  subject: Subject;
  action: SessionAction;
  actor: string;
  /** Who `actor` is; undefined for this service and for other modules. */
  by: Actor | undefined;
  /** Why, as a stable word: rejection_reason of a failed session, reason of its event. */
  reason: string | null;
  /** What happened at the step, for the trail. */
  what: { type: TrailType; data: Record<string, unknown> };
  columns: SessionColumns;
  /** Of an advance: how many steps it passes. Default 1. */
  passes?: number;
}

/** What an action leaves behind, beside the state that SESSION_TRANSITIONS says. */
interface Consequence {
  kycStatus?: KycStatus;
  /** The trail's last word, after what happened at the step. */
  ends?: TrailType;
}

const CONSEQUENCES: Record<SessionAction, Consequence> = {
  advance: {},
  stay: {},
  finish: { kycStatus: 'approved', ends: 'completed' },
  approve: { kycStatus: 'approved', ends: 'completed' },
  refer: { kycStatus: 'manual_review', ends: 'referred' },
  reject: { kycStatus: 'rejected', ends: 'rejected' },
  disapprove: { kycStatus: 'rejected', ends: 'rejected' },
  expire: { kycStatus: 'pending' },
  cancel: { kycStatus: 'pending' },
  erase: {},
};

/**
 * Moves a session: its state, its subject's, the trail and the events, in the caller's transaction. Throws when SESSION_TRANSITIONS
 * has no such move: callers look first.
 */
export async function moveSession(tx: Tx, subjects: Subjects, move: SessionMove): Promise<FlowSession> {
  const { session, subject, action, reason } = move;
  const transition = sessionTransition(session.status, action);
  if (!transition) throw new Error(`a session that is ${session.status} has no ${action}`);
  const moved = await updateSession(tx, session, { ...move.columns, ...stateColumns(session, transition.to, move) });
  const { kycStatus } = CONSEQUENCES[action];
  if (kycStatus) {
    await subjects.setStatus(tx, subject, {
      kycStatus,
      restrictiveListHits: moved.list_hits,
      ...(kycStatus === 'approved' &&
        moved.completed_at &&
        moved.presentation_id === null && { verifiedAt: moved.completed_at }),
    });
  }
  await appendTrail(tx, { tenantId: session.tenant_id, sessionId: session.id }, trailOfMove(move, transition.to));
  if (action === 'finish' || action === 'approve') {
    const data = await subjects.open(tx, subject);
    await emitEvent(tx, verifiedEvent(moved, data?.birthDate ? ageOn(data.birthDate, bogotaDay(new Date())) : null));
  } else if (kycStatus === 'rejected') {
    await emitEvent(tx, sessionEvent('subject.rejected', moved, reason ?? 'rejected'));
  } else if (action === 'refer') {
    await emitEvent(tx, sessionEvent('flow.session.manual_review', moved, reason ?? 'review'));
  }
  return moved;
}

function stateColumns(
  session: FlowSession,
  to: SessionStatus,
  { action, reason, passes = 1 }: SessionMove,
): SessionColumns {
  const now = new Date();
  return {
    status: to,
    current_step: to !== 'in_progress' ? null : (session.current_step ?? 0) + (action === 'advance' ? passes : 0),
    ...((to === 'completed' || to === 'failed') && { completed_at: now }),
    ...(to === 'failed' && { rejection_reason: reason ?? 'rejected' }),
  };
}

function trailOfMove({ session, action, actor, by, reason, what }: SessionMove, to: SessionStatus): NewTrailEvent[] {
  const step = currentStep(session)?.step_type ?? null;
  const { ends } = CONSEQUENCES[action];
  const who = by === undefined ? {} : { by };
  const data = { ...what.data, ...who };
  const happened = { ...what, data, actor, step, from: session.status, to: ends ? session.status : to };
  if (!ends) return [happened];
  return [happened, { type: ends, actor, step: null, from: session.status, to, data: { reason, ...who } }];
}
