import type { Tx } from '@constancia/persistence';
import type { FlowSession } from './session-row.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import type { Subjects } from '../subjects/subjects.ts';

/** The answers that a session has gathered, by step type. Personal data: kept sealed, shown to the tenant and the subject only. */
export type SessionContext = Record<string, Record<string, unknown>>;

const contextName = (session: Pick<FlowSession, 'id'>): string => `session_context:${session.id}`;

/** What a session has gathered; empty when it has nothing, or when the subject was erased. */
export async function openContext(
  tx: Tx,
  subjects: Pick<Subjects, 'unseal'>,
  session: FlowSession,
  subject: Subject,
): Promise<SessionContext> {
  if (session.sealed_context === null) return {};
  const text = await subjects.unseal(tx, subject, contextName(session), session.sealed_context);
  return text === null ? {} : (JSON.parse(text) as SessionContext);
}

/** Steps that were taken, with their answers. */
export interface TakenSteps {
  session: FlowSession;
  subject: Subject;
  taken: SessionContext;
}

/** What a session has gathered with the answers of more steps, and the column that keeps it. */
export async function withAnswers(
  tx: Tx,
  subjects: Pick<Subjects, 'seal' | 'unseal'>,
  { session, subject, taken }: TakenSteps,
): Promise<{ context: SessionContext; columns: { sealed_context: Buffer | null } }> {
  const context = { ...(await openContext(tx, subjects, session, subject)), ...taken };
  const sealed_context = await subjects.seal(tx, subject, contextName(session), JSON.stringify(context));
  return { context: sealed_context === null ? {} : context, columns: { sealed_context } };
}
