import { isCovered } from '../circuits/text-methods.ts';
import type { AuthMethod, DocumentAccess } from '../circuits/circuit.entity.ts';
import type { EnvelopeStatus, SignerStatus } from '../envelope-records/envelope-states.ts';
import { isOpen } from '../envelope-records/envelope-states.ts';

export const NEXT_STEPS = ['wait', 'consent', 'otp', 'access_code', 'identity', 'sign', 'done'] as const;
export type NextStep = (typeof NEXT_STEPS)[number];

/** What a signer may ask for, by the path below /v1/sign/{token}. */
export const SIGNER_REQUESTS = [
  'consent', 'otp/send', 'otp/verify', 'access-code', 'identity', 'identity/complete', 'draft', 'sign',
  'decline', 'not-me',
] as const; // prettier-ignore
export type SignerRequest = (typeof SIGNER_REQUESTS)[number];

/** Where a signer stands, and what of the authentication the one who asks has a proof of. */
export interface Standing {
  envelopeStatus: EnvelopeStatus;
  status: SignerStatus;
  documentAccess: DocumentAccess;
  auth: readonly AuthMethod[];
  /** By the proof that came with the request, not by what any browser did before. */
  proven: readonly AuthMethod[];
}

/** The authentication that is due: the methods are done in their order. Undefined once all are. */
function dueAuthentication({ auth, proven }: Pick<Standing, 'auth' | 'proven'>): AuthMethod | undefined {
  return auth.find((method) => !isCovered(method, proven));
}

/** Whether the one who asks has a proof of all methods. */
export function isProven(standing: Pick<Standing, 'auth' | 'proven'>): boolean {
  return dueAuthentication(standing) === undefined;
}

/**
 * Whether the one who asks may decline: with a proof of the methods that come before an identity, as nobody has to hand over a document and a face
 * to refuse. An identity that comes first is needed, too, since a link alone ends nothing.
 */
function mayDecline({ auth, proven }: Standing): boolean {
  const before = auth.indexOf('identity');
  return isProven({ auth: before > 0 ? auth.slice(0, before) : auth, proven });
}

const AFTER: Record<AuthMethod, NextStep> = {
  otp_email: 'otp',
  otp_sms: 'otp',
  otp_whatsapp: 'otp',
  access_code: 'access_code',
  identity: 'identity',
};
const WHILE_OPEN: Partial<Record<SignerStatus, NextStep>> = { waiting: 'wait', pending: 'consent', viewed: 'consent' };

/** What a signer does next; `done`: nothing is left for this one to do. */
export function nextStep(standing: Standing): NextStep {
  const { envelopeStatus, status } = standing;
  if (!isOpen(envelopeStatus)) return 'done';
  if (status === 'consented' || status === 'authenticated') {
    const due = dueAuthentication(standing);
    return due === undefined ? 'sign' : AFTER[due];
  }
  return WHILE_OPEN[status] ?? 'done';
}

/**
 * Whether the one who asks must authenticate before the document is shown, now or at all. After the own signature and after sealing, too: a link
 * that was forwarded shows nothing that it did not show before.
 */
export function documentNeedsProof(standing: Standing): boolean {
  return standing.documentAccess === 'authenticated' && !isProven(standing);
}

/** Whether the one who asks may have a copy of what they have signed: until it is sealed, and not once the envelope has ended otherwise. */
export function hasCopy(standing: Standing): boolean {
  const { envelopeStatus, status } = standing;
  return status === 'signed' && (isOpen(envelopeStatus) || envelopeStatus === 'sealing') && isProven(standing);
}

/** The method by which the one who asks can authenticate now; undefined when there is no use for it. */
export function possibleAuthentication(standing: Standing): AuthMethod | undefined {
  const { envelopeStatus, status, documentAccess } = standing;
  if (isOpen(envelopeStatus) && ['viewed', 'consented', 'authenticated'].includes(status)) {
    return dueAuthentication(standing); // to sign, and to decline also before consenting
  }
  const shown = status === 'signed' && envelopeStatus !== 'declined' && envelopeStatus !== 'failed';
  return shown && documentAccess === 'authenticated' ? dueAuthentication(standing) : undefined;
}

const CODE = ['otp/send', 'otp/verify'] as const;
const AUTHENTICATION: Record<AuthMethod, readonly SignerRequest[]> = {
  otp_email: CODE,
  otp_sms: CODE,
  otp_whatsapp: CODE,
  access_code: ['access-code'],
  identity: ['identity', 'identity/complete'],
};

/** The requests that a standing allows; any other is 409. Who has not looked at the envelope yet may do nothing but look. */
export function allowedRequests(standing: Standing): SignerRequest[] {
  const { envelopeStatus, status } = standing;
  const due = possibleAuthentication(standing);
  const authentication = due === undefined ? [] : AUTHENTICATION[due];
  if (!isOpen(envelopeStatus) || status === 'pending' || status === 'signed') return [...authentication];
  if (status === 'waiting') return ['not-me'];
  const next = nextStep(standing);
  return [
    ...(next === 'consent' ? (['consent'] as const) : []),
    ...authentication,
    ...(next === 'sign' ? (['draft', 'sign'] as const) : []),
    ...(mayDecline(standing) ? (['decline'] as const) : []),
    'not-me',
  ];
}
