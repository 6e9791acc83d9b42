import { FACE_REASONS } from '@constancia/face-matching';
import { problemOf } from '@constancia/http';
import type { StoredResponse } from '@constancia/idempotency';
import { Problem } from '@constancia/problem-json';
import type { AdvancedSessionView, PersonSessionView } from './session-view.ts';
import { RETRY_HELP, TOO_MANY_ATTEMPTS } from './bearer-reasons.ts';

/** What the person learns of every rejection that is not about the document or the face: neither by whom nor why (no tipping-off). */
export const NOT_APPROVED = 'not_approved';

/** Why a session may have ended that the person learns: about the document, the face or the time. */
const TOLD_REJECTIONS: readonly string[] = [
  // The answer does not reveal that a copy of the portrait was recognised.
  ...FACE_REASONS.reject.filter((reason) => reason !== 'portrait_copy'),
  'document_expired',
  TOO_MANY_ATTEMPTS,
  'expired',
  'erased',
];

/** Members of a problem that the person gets as they are. */
const TOLD_MEMBERS = ['errors', 'attempts_left', 'status_of_session', 'consent_version'];

const bearerRejection = (reason: unknown): string =>
  TOLD_REJECTIONS.includes(reason as string) ? (reason as string) : NOT_APPROVED;

/** A reason to try again, when it is one about the pictures. */
const bearerRetry = (reason: unknown): { reason?: string } =>
  typeof reason === 'string' && Object.hasOwn(RETRY_HELP, reason) ? { reason } : {};

/**
 * A session as the bearer of its token sees it: the step, the status, what to try again, attempts left. Never scores, decisions of a
 * screening, identifiers of cases or screenings, or what was read from the document. The one place where that is decided: members that
 * are not named here are not shown.
 */
export function personSession(view: AdvancedSessionView): PersonSessionView {
  const { reason, rejection_reason, step } = view;
  return {
    id: view.id,
    subject_id: view.subject_id,
    flow_id: view.flow_id,
    status: view.status,
    current_step: view.current_step,
    last_outcome: view.last_outcome,
    ...(reason !== undefined && bearerRetry(reason)),
    ...(rejection_reason !== undefined && { rejection_reason: bearerRejection(rejection_reason) }),
    ...(step && { step }),
    created_at: view.created_at,
    expires_at: view.expires_at,
    completed_at: view.completed_at,
    context: personContext(view.context as Record<string, Record<string, unknown>>),
  };
}

/** The consent that the person gave, and that other steps were taken or skipped; nothing of what came of them. */
function personContext(context: Record<string, Record<string, unknown>>): PersonSessionView['context'] {
  return Object.fromEntries(
    Object.entries(context).map(([step, answers]) => {
      if (answers.skipped === true) return [step, { skipped: true }];
      return [step, step === 'consent' ? answers : {}];
    }),
  );
}

/** An answer of advance, new or replayed, as the bearer gets it. */
export function personAnswer(response: StoredResponse): StoredResponse {
  const body = JSON.parse(response.body) as Record<string, unknown>;
  if (response.status < 400) {
    return { ...response, body: JSON.stringify(personSession(body as unknown as AdvancedSessionView)) };
  }
  const { type, title, status, instance, request_id } = body;
  const shown = { ...bearerMembers(body), detail: bearerDetail(String(body.detail), body) };
  return { ...response, body: JSON.stringify({ type, title, status, instance, request_id, ...shown }) };
}

/** A problem as the bearer of a session gets it. */
export function personProblem(problem: Problem): Problem {
  const { slug, detail, members, headers } = problem;
  return new Problem(slug, bearerDetail(detail, members), bearerMembers(members), headers, problem);
}

/** Runs a request of a session: its problems say as much as the caller may know. */
export async function forCaller<Result>({ bearer }: { bearer: boolean }, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const problem = bearer ? problemOf(error) : undefined;
    throw problem ? personProblem(problem) : error;
  }
}

function bearerMembers(members: Record<string, unknown>): Record<string, unknown> {
  const { rejection_reason, reason } = members;
  return {
    ...Object.fromEntries(TOLD_MEMBERS.filter((name) => name in members).map((name) => [name, members[name]])),
    ...(reason !== undefined && bearerRetry(reason)),
    ...(rejection_reason !== undefined && { rejection_reason: bearerRejection(rejection_reason) }),
  };
}

/** Sentences that name what the person may not know are replaced. */
function bearerDetail(detail: string, { rejection_reason, reason }: Record<string, unknown>): string {
  if (rejection_reason !== undefined && detail.includes(String(rejection_reason))) {
    return `The session ended without success: ${bearerRejection(rejection_reason)}.`;
  }
  if (reason === 'no_published_validation') return 'The step could not be carried out. Try again later.';
  return detail;
}
