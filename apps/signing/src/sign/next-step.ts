import type { AuthMethod } from '../envelopes/envelope-rows.ts';
import type { EnvelopeStatus, SignerStatus } from '../envelopes/envelope-states.ts';
import { isOpen } from '../envelopes/envelope-states.ts';

export const NEXT_STEPS = ['wait', 'consent', 'otp', 'access_code', 'sign', 'done'] as const;
export type NextStep = (typeof NEXT_STEPS)[number];

/** What a signer may ask for, by the path below /v1/sign/{token}. */
export const SIGNER_REQUESTS = ['consent', 'otp/send', 'otp/verify', 'access-code', 'sign', 'decline'] as const;
export type SignerRequest = (typeof SIGNER_REQUESTS)[number];

/** Where a signer stands. */
export interface Standing {
  envelopeStatus: EnvelopeStatus;
  status: SignerStatus;
  auth: readonly AuthMethod[];
  auth_done: readonly AuthMethod[];
}

const BEFORE_AUTHENTICATION: Partial<Record<SignerStatus, NextStep>> = {
  waiting: 'wait',
  pending: 'consent',
  viewed: 'consent',
  authenticated: 'sign',
};

/** The authentication that is due: the methods are done in their order. Undefined once all are. */
export function dueAuthentication({ auth, auth_done }: Pick<Standing, 'auth' | 'auth_done'>): AuthMethod | undefined {
  return auth.find((method) => !auth_done.includes(method));
}

/** What a signer does next; `done`: nothing is left for this one to do. */
export function nextStep(standing: Standing): NextStep {
  const { envelopeStatus, status } = standing;
  if (!isOpen(envelopeStatus)) return 'done';
  if (status === 'consented') return dueAuthentication(standing) === 'access_code' ? 'access_code' : 'otp';
  return BEFORE_AUTHENTICATION[status] ?? 'done';
}

const REQUESTS: Record<NextStep, readonly SignerRequest[]> = {
  wait: [],
  consent: ['consent'],
  otp: ['otp/send', 'otp/verify'],
  access_code: ['access-code'],
  sign: ['sign'],
  done: [],
};

/** The requests that a standing allows; any other is 409. Who has not looked at the envelope yet may do nothing but look. */
export function allowedRequests(standing: Standing): SignerRequest[] {
  const next = nextStep(standing);
  if (next === 'wait' || next === 'done' || standing.status === 'pending') return [];
  return [...REQUESTS[next], 'decline'];
}
