import type { AuthMethod, SignState } from '../api/sign-state.ts';

/** Where the reader is within the last step, the form, which the server sees as one step. */
export type FormStep = 'read' | 'fill' | 'sign';
export type Step = 'consent' | AuthMethod | FormStep;

/** Every screen there is once the state is known. */
export type Screen =
  | 'waiting'
  | 'consent'
  | AuthMethod
  | 'signing-form'
  | 'signed'
  | 'sealing'
  | 'sealed'
  | 'failed'
  | 'declined-by-you'
  | 'declined-by-other';

const AFTER_SIGNING: Partial<Record<SignState['envelope']['status'], Screen>> = {
  sealing: 'sealing',
  sealed: 'sealed',
  failed: 'failed',
};
const NEXT: Record<SignState['next'], Screen> = {
  wait: 'waiting',
  consent: 'consent',
  otp: 'otp_email',
  access_code: 'access_code',
  identity: 'identity',
  sign: 'signing-form',
  done: 'signed',
};

export function screenOf({ envelope, signer, next }: SignState): Screen {
  if (signer.status === 'declined') return 'declined-by-you';
  if (envelope.status === 'declined') return 'declined-by-other';
  if (signer.status === 'signed') return AFTER_SIGNING[envelope.status] ?? 'signed';
  return NEXT[next];
}

/** The steps of this signer in their order; those with nothing to fill in are left out. */
export function stepsOf(state: SignState, somethingToFill: boolean): Step[] {
  return ['consent', ...state.auth.required, 'read', ...(somethingToFill ? (['fill'] as const) : []), 'sign'];
}

/** Screens that change without the reader's doing, and how often it is worth asking. */
export const ASK_AGAIN_MS: Partial<Record<Screen, number>> = { waiting: 30_000, signed: 30_000, sealing: 3_000 };

/** The authentication that this browser still lacks; undefined once it has a proof of all. */
export function dueAuthentication({ auth }: Pick<SignState, 'auth'>): AuthMethod | undefined {
  return auth.required.find((method) => !auth.completed.includes(method));
}
