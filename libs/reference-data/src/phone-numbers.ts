/** E.164: a plus sign, a country code and a national number, 15 digits at most. */
const E164 = /^\+[1-9]\d{7,14}$/;

/** Country codes of one and two digits (ITU-T E.164); all others have three. */
const ONE_DIGIT = /^[17]/;
const TWO_DIGITS = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Codes that belong to no country: freephone, shared cost, satellites, personal and premium numbers. */
const NO_COUNTRY = /^\+(800|808|87[08]|88[1-38]|979)/;
/** Ranges of countries that cost those who call them more, or that are handed on to others. */
const PREMIUM =
  `1900 1976 31900 31906 31909 3290 3389 34803 34806 34807 34905 34907 35176 35315 3989 4190 4390 4393 449 4470 4590 46900 46939
  46944 4782 4870 49900 49137 51808 52900 54609 55900 56700 58900 61190 5931900`
    .split(/\s+/)
    .map((range) => `+${range}`);
/** Mobile numbers of Colombia: 3 and nine more digits. The others receive no text messages. */
const COLOMBIAN_MOBILE = /^\+573\d{9}$/;

export type PhoneProblem = 'not_e164' | 'no_country' | 'premium' | 'not_mobile';

/** Why a code cannot be sent to a number; null when it may be one of a phone. */
export function phoneProblem(phone: string): PhoneProblem | null {
  if (!E164.test(phone)) return 'not_e164';
  if (NO_COUNTRY.test(phone)) return 'no_country';
  if (PREMIUM.some((range) => phone.startsWith(range))) return 'premium';
  return phone.startsWith('+57') && !COLOMBIAN_MOBILE.test(phone) ? 'not_mobile' : null;
}

/** The digits of the country code of a number in E.164: `57` of `+573001234567`. */
export function callingCode(phone: string): string {
  const digits = phone.slice(1);
  if (ONE_DIGIT.test(digits)) return digits.slice(0, 1);
  return digits.slice(0, TWO_DIGITS.test(digits) ? 2 : 3);
}

/** A number that its owner recognises and a stranger cannot dial: `+573001231234` → `+57 ••• ••• 1234`. */
export function maskedPhone(phone: string): string {
  return `+${callingCode(phone)} ••• ••• ${phone.slice(-4)}`;
}
