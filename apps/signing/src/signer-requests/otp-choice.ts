import { ValidationError } from '@constancia/problem-json';
import { maskedEmail } from '@constancia/kernel';
import { maskedPhone } from '@constancia/reference-data';
import { isOtpMethod, isTextMethod, type OtpMethod } from '../circuits/text-methods.ts';
import type { SignerRow } from '../envelope-records/envelope-rows.ts';
import { possibleAuthentication, type Standing } from './next-step.ts';

/** The ways to send a code that is due now, the first of the role's first: one for a mailed code, up to two for one to the phone. */
export function otpMethodsDue(standing: Standing): OtpMethod[] {
  const due = possibleAuthentication(standing);
  if (due === undefined || !isOtpMethod(due)) return [];
  return isTextMethod(due) ? standing.auth.filter(isTextMethod) : [due];
}

/** The way that the signer chose, else the first. Throws ValidationError for one that is not due. */
export function chosenMethod(due: readonly OtpMethod[], wanted: OtpMethod | undefined): OtpMethod {
  const method = wanted === undefined ? due[0] : due.find((one) => one === wanted);
  if (method !== undefined) return method;
  throw new ValidationError([
    { pointer: '/method', code: 'not_allowed', detail: `A code can be sent by ${due.join(' or ')} now.` },
  ]);
}

/** Where a code goes, masked. */
export function maskedDestination({ email, phone }: Pick<SignerRow, 'email' | 'phone'>, method: OtpMethod): string {
  return isTextMethod(method) && phone !== null ? maskedPhone(phone) : maskedEmail(email);
}

/** When codes were sent to where a method sends them. */
export function sendsBy(
  { otp_sends, phone_otp_sends }: Pick<SignerRow, 'otp_sends' | 'phone_otp_sends'>,
  method: OtpMethod,
): readonly Date[] {
  return isTextMethod(method) ? phone_otp_sends : otp_sends;
}

/** To whom a code is bound: one that was sent by another method proves nothing. A mailed one as releases before bound it. */
export const codeRecipient = (signerId: string, method: OtpMethod): string =>
  isTextMethod(method) ? `${signerId}:${method}` : signerId;
