import type { Tx } from '@constancia/persistence';
import type { FlowSession } from './session-row.ts';
import type { SessionSubjects, SubjectRecord } from './session-ports.ts';

/** The answers that a session has gathered, by step type. Personal data: kept sealed, shown to the tenant and the subject only. */
export type SessionContext = Record<string, Record<string, unknown>>;

const contextName = (session: Pick<FlowSession, 'id'>): string => `session_context:${session.id}`;

/** What a session has gathered; empty when it has nothing, or when the subject was erased. */
export async function openContext(
  tx: Tx,
  subjects: Pick<SessionSubjects, 'unseal'>,
  session: FlowSession,
  subject: SubjectRecord,
): Promise<SessionContext> {
  if (session.sealed_context === null) return {};
  const text = await subjects.unseal(tx, subject, contextName(session), session.sealed_context);
  return text === null ? {} : (JSON.parse(text) as SessionContext);
}

/** What a session has gathered with one more step's answers, and the column that keeps it. */
export async function withAnswers(
  tx: Tx,
  subjects: Pick<SessionSubjects, 'seal' | 'unseal'>,
  {
    session,
    subject,
    step,
    answers,
  }: {
    session: FlowSession;
    subject: SubjectRecord;
    step: string;
    answers: Record<string, unknown>;
  },
): Promise<{ context: SessionContext; columns: { sealed_context: Buffer | null } }> {
  const context = { ...(await openContext(tx, subjects, session, subject)), [step]: answers };
  const sealed_context = await subjects.seal(tx, subject, contextName(session), JSON.stringify(context));
  return { context: sealed_context === null ? {} : context, columns: { sealed_context } };
}
