import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { SessionTrailArchives } from './archive/session-trail-archives.ts';
import { openRun, runsOf } from './step-run.ts';
import { expireSession, isOver } from './expire-session.ts';
import { listSessions, lockSession, sessionRow } from './session-changes.ts';
import { openContext, type SessionContext } from './session-context.ts';
import { Subjects } from '../subjects/subjects.ts';
import type { SessionReview } from './session-review.entity.ts';
import { reviewContext, reviewsOf } from './session-review.ts';
import type { FlowSession } from './session-row.ts';
import { type TrailEvent, trailOf } from './session-trail.ts';

const BATCH = 100;

/** What a person decided, and why; null: erased with the subject. */
export type ReviewWithReason = SessionReview & { reason: string | null };

/** The flow sessions of every tenant, as they are read. A session whose time is over is written down as such before it is shown. */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly archives: SessionTrailArchives,
  ) {}

  /** A session with its answers. Throws NotFound, for another tenant's too. */
  find(tenantId: string, sessionId: string): Promise<{ session: FlowSession; context: SessionContext }> {
    return this.database.tenant(tenantId, async (tx) => {
      const session = await this.current(tx, tenantId, sessionId);
      const subject = await this.subjects.find(tx, tenantId, session.subject_id);
      return { session, context: await openContext(tx, this.subjects, session, subject) };
    });
  }

  list(tenantId: string, filter: Parameters<typeof listSessions>[2]): Promise<FlowSession[]> {
    return this.database.tenant(tenantId, async (tx) => {
      const over = await tx.query<{ id: string }>(
        `select id from identity.flow_session
          where tenant_id = $1 and status = 'in_progress' and expires_at <= now() order by expires_at limit $2`,
        [tenantId, BATCH],
      );
      for (const { id } of over) await this.current(tx, tenantId, id);
      return listSessions(tx, tenantId, filter);
    });
  }

  /** The trail of a session with what people decided about it, of one moment. Throws DependencyUnavailable for one in a file. */
  async trail(tenantId: string, sessionId: string): Promise<{ events: TrailEvent[]; reviews: ReviewWithReason[] }> {
    const { events, reviews } = await this.database.snapshot(tenantId, async (tx) => {
      const session = await sessionRow(tx, tenantId, sessionId);
      return { events: await trailOf(tx, tenantId, sessionId), reviews: await this.reviewsIn(tx, session) };
    });
    const archived = events[0]?.seq === 1 ? [] : await this.archives.events(tenantId, sessionId);
    return { events: [...archived, ...events], reviews };
  }

  /** What people decided about a session, with their reasons. */
  async reviewsIn(tx: Tx, session: FlowSession): Promise<ReviewWithReason[]> {
    const rows = await reviewsOf(tx, session.tenant_id, session.id);
    if (rows.length === 0) return [];
    const subject = await this.subjects.find(tx, session.tenant_id, session.subject_id);
    const reviews: ReviewWithReason[] = [];
    for (const review of rows) {
      const { id, sealed_reason } = review;
      const reason = sealed_reason && (await this.subjects.unseal(tx, subject, reviewContext(id), sealed_reason));
      reviews.push({ ...review, reason });
    }
    return reviews;
  }

  /** What a session has gathered so far. */
  async contextIn(tx: Tx, session: FlowSession): Promise<SessionContext> {
    const subject = await this.subjects.find(tx, session.tenant_id, session.subject_id);
    return openContext(tx, this.subjects, session, subject);
  }

  /** Ends a session whose time is over; leaves it while work is under way. Answers it as it stands. */
  expire(tenantId: string, sessionId: string): Promise<FlowSession> {
    return this.database.tenant(tenantId, (tx) => this.current(tx, tenantId, sessionId));
  }

  private async current(tx: Tx, tenantId: string, sessionId: string): Promise<FlowSession> {
    const seen = await sessionRow(tx, tenantId, sessionId);
    if (!isOver(seen)) return seen;
    const session = await lockSession(tx, tenantId, sessionId);
    if (!isOver(session) || openRun(await runsOf(tx, sessionId))) return session;
    const subject = await this.subjects.find(tx, tenantId, session.subject_id);
    return expireSession(tx, this.subjects, session, subject);
  }
}
