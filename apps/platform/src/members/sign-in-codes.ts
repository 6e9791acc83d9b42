import { OneTimeCodes, purposeKeys, type SecretKeySettings } from '@constancia/kernel';

/** How long a mailed code can be used. */
export const CODE_MINUTES = 10;

/** The codes that sign members in. The recipient is the digest of the address, hex. */
export function signInCodes(settings: SecretKeySettings): OneTimeCodes {
  return new OneTimeCodes(purposeKeys(settings, 'codes'), 'member_sign_in');
}
