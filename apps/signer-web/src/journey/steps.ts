import type { AuthMethod, SignState } from '../api/sign-state.ts';

/** Where the reader is within the last step, the form, which the server sees as one step. */
export type FormStep = 'read' | 'fill' | 'sign';
/** A step of authentication: a code to the phone is one, whichever way it goes. */
export type AuthStep = Exclude<AuthMethod, 'otp_sms' | 'otp_whatsapp'> | 'otp_phone';
export type Step = 'consent' | AuthStep | FormStep;

/** Every screen there is once the state is known. */
export type Screen =
  | 'waiting'
  | 'consent'
  | AuthStep
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
const NEXT: Record<Exclude<SignState['next'], 'otp'>, Screen> = {
  wait: 'waiting',
  consent: 'consent',
  access_code: 'access_code',
  identity: 'identity',
  sign: 'signing-form',
  done: 'signed',
};

export function screenOf({ auth, envelope, signer, next }: SignState): Screen {
  if (signer.status === 'declined') return 'declined-by-you';
  if (envelope.status === 'declined') return 'declined-by-other';
  if (signer.status === 'signed') return AFTER_SIGNING[envelope.status] ?? 'signed';
  return next === 'otp' ? otpStepOf({ auth }) : NEXT[next];
}

const isByPhone = (method: AuthMethod): method is 'otp_sms' | 'otp_whatsapp' =>
  method === 'otp_sms' || method === 'otp_whatsapp';

export const authStepOf = (method: AuthMethod): AuthStep => (isByPhone(method) ? 'otp_phone' : method);

/** The step of the code that can be sent now. */
export const otpStepOf = ({ auth: { otp } }: Pick<SignState, 'auth'>): AuthStep =>
  authStepOf(otp?.channels[0]?.method ?? 'otp_email');

/** The steps of this signer in their order; those with nothing to fill in are left out. */
export function stepsOf(state: SignState, somethingToFill: boolean): Step[] {
  const authentication = new Set(state.auth.required.map(authStepOf));
  return ['consent', ...authentication, 'read', ...(somethingToFill ? (['fill'] as const) : []), 'sign'];
}

/** Screens that change without the reader's doing, and how often it is worth asking. */
export const ASK_AGAIN_MS: Partial<Record<Screen, number>> = { waiting: 30_000, signed: 30_000, sealing: 3_000 };

/** The authentication that this browser still lacks; undefined once it has a proof of all. */
export function dueAuthentication({ auth }: Pick<SignState, 'auth'>): AuthMethod | undefined {
  return auth.required.find(
    (method) => !auth.completed.includes(method) && !(isByPhone(method) && auth.completed.some(isByPhone)),
  );
}

/** The authentication that declining still lacks: nobody verifies an identity for that, unless it comes first. */
export function dueToDecline(state: Pick<SignState, 'auth'>): AuthMethod | undefined {
  const due = dueAuthentication(state);
  return due === 'identity' && state.auth.required[0] !== 'identity' ? undefined : due;
}
