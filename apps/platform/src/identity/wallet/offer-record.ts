import type { WalletOffer } from './wallet-offer.entity.ts';

/** What the sealed record of an offer holds: JSON. */
export interface OfferRecord {
  email: string;
  ip: string;
  user_agent: string | null;
}

/** What it is bound to, beside tenant and subject. */
export const offerContext = (sessionId: string): string => `wallet_offer:${sessionId}`;

/** What codes are for. They must never change. */
export const OFFER_CODES = 'wallet_offer';
export const SIGN_IN_CODES = 'wallet_sign_in';
export const CONSENT_CODES = 'wallet_consent';
/** How long a mailed code can be used. */
export const CODE_MINUTES = 10;

/** Whom a code is for: this address at the end of this session. */
export const offerRecipient = ({ code_digest, session_id }: Pick<WalletOffer, 'code_digest' | 'session_id'>): string =>
  `${code_digest.toString('hex')}:${session_id}`;

/** Whom a code is for: this contact at the link of this request. */
export const consentRecipient = (contact: Buffer, presentationId: string): string =>
  `${contact.toString('hex')}:${presentationId}`;
