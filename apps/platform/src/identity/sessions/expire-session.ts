import type { Tx } from '@constancia/persistence';
import { moveSession } from './move-session.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import type { Subjects } from '../subjects/subjects.ts';
import type { FlowSession } from './session-row.ts';

/** Whether a session's time is over and nobody has written it down yet. */
export function isOver(session: FlowSession, now: Date = new Date()): boolean {
  return session.status === 'in_progress' && session.expires_at <= now;
}

/** in_progress → failed, `expired`. The session's row must be held and no run be under way. The subject is not rejected by it. */
export function expireSession(
  tx: Tx,
  subjects: Subjects,
  session: FlowSession,
  subject: Subject,
): Promise<FlowSession> {
  return moveSession(tx, subjects, {
    session,
    subject,
    action: 'expire',
    actor: 'system',
    by: undefined,
    reason: 'expired',
    what: { type: 'expired', data: { expires_at: session.expires_at.toISOString() } },
    columns: {},
  });
}
