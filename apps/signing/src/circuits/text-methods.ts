import type { TextChannel } from '@constancia/text-messages';
import type { AuthMethod } from './circuit.entity.ts';

/** Methods that send a code to the signer's phone. */
export const TEXT_METHODS = ['otp_sms', 'otp_whatsapp'] as const satisfies readonly AuthMethod[];
export type TextMethod = (typeof TEXT_METHODS)[number];

/** Methods that send a code. */
export const OTP_METHODS = ['otp_email', ...TEXT_METHODS] as const satisfies readonly AuthMethod[];
export type OtpMethod = (typeof OTP_METHODS)[number];

export const TEXT_CHANNEL: Record<TextMethod, TextChannel> = { otp_sms: 'sms', otp_whatsapp: 'whatsapp' };

export const isTextMethod = (method: string): method is TextMethod =>
  (TEXT_METHODS as readonly string[]).includes(method);

export const isOtpMethod = (method: string): method is OtpMethod => (OTP_METHODS as readonly string[]).includes(method);

/** Whether methods that were proven cover one that a role asks for. Either way of sending a code to the phone proves the same number. */
export function isCovered(method: AuthMethod, proven: readonly AuthMethod[]): boolean {
  return proven.includes(method) || (isTextMethod(method) && proven.some(isTextMethod));
}
