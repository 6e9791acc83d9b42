import { NotFound, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { isOver } from '../sessions/expire-session.ts';
import { sessionRow } from '../sessions/session-changes.ts';
import { currentStep, type FlowSession } from '../sessions/session-row.ts';
import type { PersonalData } from '../subjects/subject.ts';
import { Subjects, subjectRow } from '../subjects/subjects.ts';

/** A session whose page asked its person for a kept verification, and whom it is about. */
export interface AskingSession {
  session: FlowSession;
  data: PersonalData;
}

/** The sessions whose capture pages make requests (ADR 0213). */
@Injectable()
export class AskingSessions {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
  ) {}

  /** Null: the tenant itself asks. Throws NotFound when the session waits for nothing any more. */
  async of({ tenant_id, session_id }: Presentation): Promise<AskingSession | null> {
    if (session_id === null) return null;
    const { session, subject } = await this.database.tenant(tenant_id, async (tx) => {
      const found = await sessionRow(tx, tenant_id, session_id);
      return { session: found, subject: await subjectRow(tx, tenant_id, found.subject_id) };
    });
    const data = await this.subjects.opened(subject); // outside of the transaction: KMS must not hold a connection
    if (!waits(session) || data === null) throw new NotFound();
    return { session, data };
  }
}

/** Throws StateConflict when the session, whose row is held, waits for nothing any more: then nothing is given and charged. */
export function requireWaiting(session: FlowSession): void {
  if (!waits(session)) throw new StateConflict('The verification that asked for this went on without it, or is over.');
}

const waits = (session: FlowSession): boolean => currentStep(session)?.step_type === 'consent' && !isOver(session);
