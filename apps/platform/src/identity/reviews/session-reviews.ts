import type { Acting, SessionReviewRequest, SessionReviewResult } from '@constancia/contracts';
import { IndependentWork, type ActingPerson, isSamePerson, typeId, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { currentTraceparent, Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { moveSession } from '../sessions/move-session.ts';
import { notifySecondPersons } from './notify-second-persons.ts';
import { lockSession, sessionRefusal, sessionRow, updateSession } from '../sessions/session-changes.ts';
import { Subjects } from '../subjects/subjects.ts';
import type { SessionReview } from '../sessions/session-review.entity.ts';
import { isOpen, reviewContext, reviewsOf, setReviewStatus } from '../sessions/session-review.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import { appendTrail } from '../sessions/session-trail.ts';

const BATCH = 50;
const EVERY_MS = 1_000;
/** How long an answer is waited for before the same request is sent again; later it is sent more seldom. */
const AGAIN_MS = 3_000;

/** What a person decides. */
export interface Review extends Acting {
  decision: 'approve' | 'reject';
  reason: string;
}

/**
 * Reviews of sessions by people. The compliance module says whether one person is enough (the tenant's four eyes, and its case about
 * the subject, which decides): until then, and until a second person agrees, the session, its subject and its events stay as they are.
 * What is not answered stands in the store and is asked again.
 */
@Injectable()
export class SessionReviews extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly queues: Queues,
    logger: Logger,
  ) {
    super({ name: 'session-reviews', everyMs: EVERY_MS, logger });
  }

  /**
   * Writes a person's decision down; ends the review when it is the second of two people who agree and no case has to. Answers the
   * review's id. Throws NotFound, and StateConflict when the session takes none or the same person decided already.
   */
  async propose(tenantId: string, sessionId: string, review: Review): Promise<string> {
    const id = uuidv7();
    await this.database.tenant(tenantId, async (tx) => {
      const session = await lockSession(tx, tenantId, sessionId);
      if (session.status !== 'manual_review') throw sessionRefusal(session, 'review');
      const open = (await reviewsOf(tx, tenantId, sessionId)).filter(isOpen);
      if (open.some((other) => isSamePerson(acting(other), review))) throw anotherPerson();
      // Of a key, the compliance module says whether the tenant vouches for the person that it names.
      const agreed = review.by.kind === 'member' && session.case_id === null && agreesWith(review, open);
      const row = await this.insert(tx, session, id, review);
      if (agreed) return this.end(tx, session, row, review.decision);
      for (const other of open) {
        if (other.decision !== review.decision) await setReviewStatus(tx, other, 'superseded');
      }
      await updateSession(tx, session, { pending_approval: true });
      await this.note(tx, session, row);
    });
    return id;
  }

  /** A session with one of its reviews, as they stand now. */
  seen(tenantId: string, sessionId: string, id: string): Promise<{ session: FlowSession; review: SessionReview }> {
    return this.database.tenant(tenantId, async (tx) => {
      const review = (await reviewsOf(tx, tenantId, sessionId)).find((one) => one.id === id);
      const session = await sessionRow(tx, tenantId, sessionId); // after it: a review that ended is in the session, too
      return { session, review: review as SessionReview };
    });
  }

  override async run(): Promise<void> {
    const due = await this.database.query<Pick<SessionReview, 'id' | 'tenant_id' | 'session_id'>>(
      'select * from identity.session_reviews_to_ask($1, $2)',
      [BATCH, AGAIN_MS],
    );
    const work = new IndependentWork();
    for (const row of due) await work.attempt(() => this.send(row), { review_id: row.id, tenant_id: row.tenant_id });
    work.throwFirstFailure();
  }

  private async send({ id, tenant_id, session_id }: Pick<SessionReview, 'id' | 'tenant_id' | 'session_id'>) {
    const asked = await this.database.tenant(tenant_id, async (tx) => {
      const session = await sessionRow(tx, tenant_id, session_id);
      const review = (await reviewsOf(tx, tenant_id, session_id)).find((one) => one.id === id);
      const request = review && (await this.requestOf(tx, session, review));
      return request && { request, traceparent: review.traceparent };
    });
    if (!asked) return;
    const message = { v: 1, id, tenant_id, sealed: this.queues.seal(asked.request) } as const;
    this.queues.hint(
      'session-review',
      asked.traceparent === null ? message : { ...message, traceparent: asked.traceparent },
      id,
    );
  }

  private async requestOf(
    tx: Tx,
    session: FlowSession,
    review: SessionReview,
  ): Promise<SessionReviewRequest | undefined> {
    const { id, status, decision, actor, by, sealed_reason } = review;
    const { case_id } = session;
    if (status === 'waiting') return case_id === null ? undefined : { kind: 'state', case_id };
    if (status !== 'asked' || sealed_reason === null) return undefined;
    const { subjects } = this;
    const subject = await subjects.find(tx, session.tenant_id, session.subject_id);
    const reason = await subjects.unseal(tx, subject, reviewContext(id), sealed_reason);
    if (reason === null) return undefined;
    const open = (await reviewsOf(tx, session.tenant_id, session.id)).filter(isOpen);
    const others = open.filter((other) => other.id !== id && !isSamePerson(acting(other), acting(review)));
    const is_second = agreesWith(review, others);
    return { kind: 'decide', case_id, decision, reason, actor, is_second, ...(by !== null && { by }) };
  }

  /** What the compliance module answered. It may come twice, late, or to a review that is over. */
  async recordResult(tenantId: string, id: string, result: SessionReviewResult): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const [asked] = await tx.query<{ session_id: string }>(
        'select session_id from identity.session_review where tenant_id = $1 and id = $2',
        [tenantId, id],
      );
      if (!asked) return;
      const session = await lockSession(tx, tenantId, asked.session_id);
      const open = (await reviewsOf(tx, tenantId, session.id)).filter(isOpen);
      const review = open.find((one) => one.id === id);
      if (!review) return;
      if (session.status !== 'manual_review') return setReviewStatus(tx, review, 'superseded');
      await this.apply(tx, { session, open, review, result });
    });
  }

  private async apply(
    tx: Tx,
    {
      session,
      open,
      review,
      result,
    }: { session: FlowSession; open: SessionReview[]; review: SessionReview; result: SessionReviewResult },
  ): Promise<void> {
    switch (result.outcome) {
      case 'decided':
        return this.end(tx, session, review, result.decision);
      case 'second_person':
        await setReviewStatus(tx, review, 'waiting');
        if (session.case_id === null) await notifySecondPersons(tx, review); // of a case, the compliance module notifies
        return;
      case 'open':
        await setReviewStatus(tx, review, 'superseded');
        break;
      case 'refused':
        await setReviewStatus(tx, review, 'refused', result.detail);
        break;
    }
    if (open.length === 1) await updateSession(tx, session, { pending_approval: false });
  }

  /** The session is decided: state, subject, events and trail, with every review that waited. */
  private async end(
    tx: Tx,
    session: FlowSession,
    { actor, by, id, decision: own }: SessionReview,
    decision: 'approve' | 'reject',
  ): Promise<void> {
    const { subjects } = this;
    const subject = await subjects.find(tx, session.tenant_id, session.subject_id);
    const approved = decision === 'approve';
    for (const review of (await reviewsOf(tx, session.tenant_id, session.id)).filter(isOpen)) {
      await setReviewStatus(tx, review, review.decision === decision ? 'decided' : 'superseded');
    }
    await moveSession(tx, subjects, {
      session,
      subject,
      action: approved ? 'approve' : 'disapprove',
      actor: own === decision ? actor : 'compliance', // else somebody resolved the case otherwise meanwhile
      reason: approved ? null : 'manual_review',
      by: own === decision ? (by ?? undefined) : undefined,
      what: { type: 'reviewed', data: { decision, review_id: typeId('srv', id) } },
      columns: { last_outcome: approved ? 'advance' : 'reject', pending_approval: false },
    });
  }

  private async insert(tx: Tx, session: FlowSession, id: string, review: Review): Promise<SessionReview> {
    const { subjects } = this;
    const subject = await subjects.find(tx, session.tenant_id, session.subject_id);
    const [row] = await tx.query<SessionReview>(
      `insert into identity.session_review (id, tenant_id, session_id, decision, actor, by, sealed_reason, traceparent)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
      [
        id,
        session.tenant_id,
        session.id,
        review.decision,
        review.actor,
        JSON.stringify(review.by),
        await subjects.seal(tx, subject, reviewContext(id), review.reason),
        currentTraceparent() ?? null,
      ],
    );
    return row as SessionReview;
  }

  private note(tx: Tx, { id, tenant_id, status }: FlowSession, review: SessionReview): Promise<void> {
    const data = {
      decision: review.decision,
      review_id: typeId('srv', review.id),
      pending_approval: true,
      by: review.by,
    };
    const event = { type: 'reviewed', actor: review.actor, step: null, from: status, to: status, data } as const;
    return appendTrail(tx, { tenantId: tenant_id, sessionId: id }, [event]);
  }
}

/** Who a review is by. */
const acting = ({ actor, by }: SessionReview): ActingPerson => ({ actor, by: by ?? undefined });

function agreesWith({ decision }: Pick<Review, 'decision'>, others: SessionReview[]): boolean {
  return others.some((other) => other.decision === decision);
}

function anotherPerson(): StateConflict {
  return new StateConflict('This person’s decision waits already. Where four eyes apply, another person must decide.', {
    pending_approval: true,
  });
}
