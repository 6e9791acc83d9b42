import { actionsIn, type Transition, transitionIn } from '@constancia/kernel';

/** States of an envelope, in the order in which it usually passes them. */
export const ENVELOPE_STATUSES = [
  'sent', 'in_progress', 'sealing', 'sealed', 'declined', 'voided', 'expired', 'failed',
] as const; // prettier-ignore
export type EnvelopeStatus = (typeof ENVELOPE_STATUSES)[number];

/** States of a signer. waiting: an earlier order is not done yet. */
export const SIGNER_STATUSES = [
  'waiting', 'pending', 'viewed', 'consented', 'authenticated', 'signed', 'declined',
] as const; // prettier-ignore
export type SignerStatus = (typeof SIGNER_STATUSES)[number];

/**
 * What happens to an envelope. view: a signer looked at it for the first time; sign: a signer signed and others have not; finish: the
 * last one signed; seal and fail: how the sealing ended; decline: a signer did; void, remind, rotate: the tenant asked; expire: its
 * time was over.
 */
export const ENVELOPE_ACTIONS = [
  'view', 'sign', 'finish', 'seal', 'fail', 'decline', 'void', 'expire', 'remind', 'rotate',
] as const; // prettier-ignore
export type EnvelopeAction = (typeof ENVELOPE_ACTIONS)[number];

/**
 * What happens to a signer. open: the order is reached; view: the link was opened; prove: one of several authentications is done;
 * authenticate: the last one is (in another browser again, to decline also before consenting, and to see the document afterwards);
 * rotate: the tenant replaced the link; the holder of the new one starts again.
 */
export const SIGNER_ACTIONS = [
  'open', 'view', 'consent', 'prove', 'authenticate', 'sign', 'decline', 'remind', 'rotate',
] as const; // prettier-ignore
export type SignerAction = (typeof SIGNER_ACTIONS)[number];

/** Every transition of an envelope that there is; what is not here is 409 state-conflict. */
export const ENVELOPE_TRANSITIONS: readonly Transition<EnvelopeStatus, EnvelopeAction>[] = [
  { from: 'sent', action: 'view', to: 'in_progress' },
  { from: 'sent', action: 'void', to: 'voided' },
  { from: 'sent', action: 'expire', to: 'expired' },
  { from: 'sent', action: 'remind', to: 'sent' },
  { from: 'sent', action: 'rotate', to: 'sent' },
  { from: 'in_progress', action: 'view', to: 'in_progress' },
  { from: 'in_progress', action: 'sign', to: 'in_progress' },
  { from: 'in_progress', action: 'finish', to: 'sealing' },
  { from: 'in_progress', action: 'decline', to: 'declined' },
  { from: 'in_progress', action: 'void', to: 'voided' },
  { from: 'in_progress', action: 'expire', to: 'expired' },
  { from: 'in_progress', action: 'remind', to: 'in_progress' },
  { from: 'in_progress', action: 'rotate', to: 'in_progress' },
  { from: 'sealing', action: 'seal', to: 'sealed' },
  { from: 'sealing', action: 'fail', to: 'failed' },
];

/** Every transition of a signer that there is, while the envelope takes it; what is not here is 409 state-conflict. */
export const SIGNER_TRANSITIONS: readonly Transition<SignerStatus, SignerAction>[] = [
  { from: 'waiting', action: 'open', to: 'pending' },
  { from: 'waiting', action: 'rotate', to: 'waiting' },
  { from: 'pending', action: 'view', to: 'viewed' },
  { from: 'pending', action: 'remind', to: 'pending' },
  { from: 'pending', action: 'rotate', to: 'pending' },
  { from: 'viewed', action: 'consent', to: 'consented' },
  { from: 'viewed', action: 'prove', to: 'viewed' },
  { from: 'viewed', action: 'authenticate', to: 'viewed' },
  { from: 'viewed', action: 'decline', to: 'declined' },
  { from: 'viewed', action: 'remind', to: 'viewed' },
  { from: 'viewed', action: 'rotate', to: 'pending' },
  { from: 'consented', action: 'prove', to: 'consented' },
  { from: 'consented', action: 'authenticate', to: 'authenticated' },
  { from: 'consented', action: 'decline', to: 'declined' },
  { from: 'consented', action: 'remind', to: 'consented' },
  { from: 'consented', action: 'rotate', to: 'pending' },
  { from: 'authenticated', action: 'prove', to: 'authenticated' },
  { from: 'authenticated', action: 'authenticate', to: 'authenticated' },
  { from: 'authenticated', action: 'sign', to: 'signed' },
  { from: 'authenticated', action: 'decline', to: 'declined' },
  { from: 'authenticated', action: 'remind', to: 'authenticated' },
  { from: 'authenticated', action: 'rotate', to: 'pending' },
  { from: 'signed', action: 'prove', to: 'signed' },
  { from: 'signed', action: 'authenticate', to: 'signed' },
];

/** The transition of an action in a state; undefined when the state does not allow it. */
export const envelopeTransition = (from: EnvelopeStatus, action: EnvelopeAction) =>
  transitionIn(ENVELOPE_TRANSITIONS, from, action);

/** The transition of an action in a state; undefined when the state does not allow it. */
export const signerTransition = (from: SignerStatus, action: SignerAction) =>
  transitionIn(SIGNER_TRANSITIONS, from, action);

/** What can happen to an envelope in a state. */
export function allowedEnvelopeActions(status: EnvelopeStatus): EnvelopeAction[] {
  return actionsIn(ENVELOPE_TRANSITIONS, status);
}

/** What can happen to a signer in a state. */
export function allowedSignerActions(status: SignerStatus): SignerAction[] {
  return actionsIn(SIGNER_TRANSITIONS, status);
}

/** Whether an envelope ended without a document: nobody signs it any more, and nothing is sealed. */
export function endedUnsealed(status: EnvelopeStatus): status is 'declined' | 'voided' | 'expired' | 'failed' {
  return status === 'declined' || status === 'voided' || status === 'expired' || status === 'failed';
}

/** Whether signers can still act: neither signed by all nor ended. */
export function isOpen(status: EnvelopeStatus): status is 'sent' | 'in_progress' {
  return status === 'sent' || status === 'in_progress';
}
