import type { StoredResponse } from '@constancia/idempotency';
import {
  DependencyUnavailable,
  KycRejected,
  Problem,
  problemDocument,
  UnprocessableEntity,
} from '@constancia/problem-json';
import { sessionRefusal } from '../sessions/session-changes.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import { type SessionContext } from '../sessions/session-context.ts';
import { SessionView } from '../sessions/session-view.ts';
import { RETRY_HELP } from '../sessions/bearer-reasons.ts';
import type { StepRun } from '../sessions/step-run.entity.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** 200: where the session stands now. */
export function sessionAnswer(session: FlowSession, context: SessionContext): StoredResponse {
  const body = JSON.stringify({ ...SessionView.of(session), context });
  return { status: 200, headers: { 'Content-Type': JSON_TYPE }, body };
}

/** What the answer says about a run that was applied; null: only where the session stands. */
export function problemOfRun(run: StepRun, session: FlowSession): Problem | null {
  const { effect, reason, attempts_left } = run;
  if (effect === 'unavailable') return unavailable(run);
  if (effect === 'dropped') return sessionRefusal(session, 'advance');
  if (effect === 'reject' || (effect === 'again' && attempts_left === 0)) return rejected(session, reason);
  if (effect !== 'again') return null;
  return new UnprocessableEntity(`${RETRY_HELP[reason ?? ''] ?? OTHER_RETRY} Attempts left: ${attempts_left}.`, {
    reason,
    attempts_left,
  });
}

/** 422 kyc-rejected: the session is over. */
export function rejected(session: FlowSession, reason: string | null): KycRejected {
  const { rejection_reason } = session;
  return new KycRejected(`The session ended without success: ${rejection_reason}.`, {
    rejection_reason,
    ...(reason !== null && reason !== rejection_reason && { reason }),
  });
}

function unavailable({ reason }: StepRun): DependencyUnavailable {
  if (reason === 'no_published_validation') {
    return new DependencyUnavailable(
      'The compliance module has no published validation of the code that the step names: publish one, then send this again.',
      { reason },
    );
  }
  return new DependencyUnavailable(
    'The step could not be carried out. Nothing was charged and no attempt is used up.',
    {
      reason,
    },
  );
}

const OTHER_RETRY = 'Send another picture.';

/** The exact answer that is stored for an Idempotency-Key; null for one that is not final. */
export function storedProblem(problem: Problem, context: { baseUrl: string; instance: string; requestId: string }) {
  if (problem.slug !== 'kyc-rejected') return null;
  return {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json' },
    body: JSON.stringify(problemDocument(problem, context)),
  } satisfies StoredResponse;
}
