import { createHmac } from 'node:crypto';
import { derivedKeys, OneTimeCodes, purposeKeys, type SecretKeySettings } from '@constancia/kernel';
import type { WalletOffer } from './offers/wallet-offer.entity.ts';

/** How long a mailed code can be used. */
export const CODE_MINUTES = 10;

/** The codes that confirm the address of an offer. */
export const offerCodes = (settings: SecretKeySettings): OneTimeCodes => codes(settings, 'wallet_offer');

/** The codes that sign persons in to their wallets. The recipient is the contact, hex. */
export const walletSignInCodes = (settings: SecretKeySettings): OneTimeCodes => codes(settings, 'wallet_sign_in');

/** The codes with which persons answer requests. */
export const consentCodes = (settings: SecretKeySettings): OneTimeCodes => codes(settings, 'wallet_consent');

/** The second codes of credential offers. The recipient is the hash of the first code, hex. */
export const credentialCodes = (settings: SecretKeySettings): OneTimeCodes => codes(settings, 'wallet_credential');
/** The codes with which recoveries begin. The recipient is the recovery's id. */
export const recoveryCodes = (settings: SecretKeySettings): OneTimeCodes => codes(settings, 'wallet_recovery');

/** What the notice of a recovery cancels it with: 32 bytes, base64url, the same however often the notice is sent. Its use must never change. */
export const recoveryCancelToken = (
  { secretsKey }: Pick<SecretKeySettings, 'secretsKey'>,
  recoveryId: string,
): string =>
  createHmac('sha256', derivedKeys(secretsKey, 'signedValues')[0] as Buffer)
    .update(`wallet_recovery_cancel:${recoveryId}`)
    .digest('base64url');

/** Whom a code is for: this address at the end of this session. */
export const offerRecipient = ({ code_digest, session_id }: Pick<WalletOffer, 'code_digest' | 'session_id'>): string =>
  `${code_digest.toString('hex')}:${session_id}`;

/** Whom a code is for: this contact at the link of this request. */
export const consentRecipient = (contact: Buffer, presentationId: string): string =>
  `${contact.toString('hex')}:${presentationId}`;

/** Purposes must never change. */
function codes(settings: SecretKeySettings, purpose: string): OneTimeCodes {
  return new OneTimeCodes(purposeKeys(settings, 'codes'), purpose);
}
