import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { moveSession } from '../sessions/move-session.ts';
import { lockSession, updateSession } from '../sessions/session-changes.ts';
import { Subjects } from '../subjects/subjects.ts';
import { appendTrail } from '../sessions/session-trail.ts';

/** As whom the compliance module appears in a trail. */
const ACTOR = 'compliance';

/**
 * The compliance module says how its case about a subject stands. A resolved one ends the review of every session that waits for
 * it; for a session that reported its own decision it is the confirmation.
 */
@Injectable()
export class CaseResolutions {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
  ) {}

  async record(
    tenantId: string,
    caseId: string,
    decision: 'approve' | 'reject' | null,
    requestId: string,
  ): Promise<void> {
    const rows = await this.database.query<{ id: string }>('select identity.sessions_of_case($1, $2) as id', [
      tenantId,
      caseId,
    ]);
    for (const { id } of rows) {
      await this.database.tenant(tenantId, (tx) => this.resolve(tx, tenantId, id, { decision, requestId, caseId }));
    }
  }

  /** The compliance module cannot resolve the case as we asked: it stays open there, for its own people. */
  async refused(tenantId: string, requestId: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `update identity.flow_session set case_request = null
          where tenant_id = $1 and case_request ->> 'request_id' = $2`,
        [tenantId, requestId],
      ),
    );
  }

  private async resolve(
    tx: Tx,
    tenantId: string,
    sessionId: string,
    { decision, requestId, caseId }: { decision: 'approve' | 'reject' | null; requestId: string; caseId: string },
  ): Promise<void> {
    const session = await lockSession(tx, tenantId, sessionId);
    const confirmed = session.case_request?.request_id === requestId;
    if (session.case_id !== caseId || (decision === null && !confirmed)) return;
    if (session.status === 'manual_review' && decision !== null) {
      const subject = await this.subjects.find(tx, tenantId, session.subject_id);
      await moveSession(tx, this.subjects, {
        session,
        subject,
        action: decision === 'approve' ? 'approve' : 'disapprove',
        actor: ACTOR,
        by: undefined,
        reason: decision === 'approve' ? 'case_resolved' : 'sarlaft',
        what: { type: 'case_resolved', data: { case_id: caseId, decision } },
        columns: { last_outcome: decision === 'approve' ? 'advance' : 'reject', case_request: null },
      });
    } else if (session.case_request) {
      await updateSession(tx, session, { case_request: null });
      await appendTrail(tx, { tenantId, sessionId }, [
        {
          type: 'case_resolved',
          actor: ACTOR,
          step: null,
          from: session.status,
          to: session.status,
          data: { case_id: caseId, decision },
        },
      ]);
    }
  }
}
