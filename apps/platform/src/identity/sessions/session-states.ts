import { type Transition, transitionIn } from '@constancia/kernel';

export const SESSION_STATUSES = ['in_progress', 'manual_review', 'completed', 'failed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/**
 * What happens to a session. advance: a step ended well, and there is another; stay: it did not, and may be tried again; finish: the
 * last step ended well; refer: a person has to decide; reject: a step, or too many attempts, ended it; expire: its time was over;
 * cancel: the signing module no longer needs it; approve and disapprove: a person decided, here or in the compliance module; erase: its
 * subject was erased.
 */
export type SessionAction =
  'advance' | 'stay' | 'finish' | 'refer' | 'reject' | 'expire' | 'cancel' | 'approve' | 'disapprove' | 'erase';

/** The result of the last call of advance. */
export const LAST_OUTCOMES = ['advance', 'processing', 'retry', 'review', 'reject'] as const;
export type LastOutcome = (typeof LAST_OUTCOMES)[number];

/** Every transition that there is; what is not here is 409 state-conflict. */
export const SESSION_TRANSITIONS: readonly Transition<SessionStatus, SessionAction>[] = [
  { from: 'in_progress', action: 'advance', to: 'in_progress' },
  { from: 'in_progress', action: 'stay', to: 'in_progress' },
  { from: 'in_progress', action: 'finish', to: 'completed' },
  { from: 'in_progress', action: 'refer', to: 'manual_review' },
  { from: 'in_progress', action: 'reject', to: 'failed' },
  { from: 'in_progress', action: 'expire', to: 'failed' },
  { from: 'in_progress', action: 'cancel', to: 'failed' },
  { from: 'manual_review', action: 'approve', to: 'completed' },
  { from: 'manual_review', action: 'disapprove', to: 'failed' },
  { from: 'in_progress', action: 'erase', to: 'failed' },
  { from: 'manual_review', action: 'erase', to: 'failed' },
];

export const sessionTransition = (from: SessionStatus, action: SessionAction) =>
  transitionIn(SESSION_TRANSITIONS, from, action);

/** What callers ask for, and the actions that it stands for. */
const REQUESTS = {
  advance: ['advance', 'finish', 'refer', 'reject'],
  review: ['approve', 'disapprove'],
} as const satisfies Record<string, readonly SessionAction[]>;
export type SessionRequest = keyof typeof REQUESTS;

/** What a caller can do with a session, as a 409 answer lists it. */
export function allowedRequests(status: SessionStatus): SessionRequest[] {
  return (Object.keys(REQUESTS) as SessionRequest[]).filter((request) =>
    REQUESTS[request].some((action) => sessionTransition(status, action)),
  );
}
