import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { AUTH_METHODS, type AuthMethod } from '../circuits/circuit.entity.ts';
import type { SignerFacts } from './found-signer.ts';
import { OTP_METHODS, type OtpMethod } from '../circuits/text-methods.ts';
import { maskedDestination, otpMethodsDue, sendsBy } from './otp-choice.ts';
import { possibleAuthentication, type Standing } from './next-step.ts';
import { ACCESS_CODE, MISSES_PER_LINK, nextSendAt, OTP } from './otp-codes.ts';

const TIME = { format: 'date-time', example: '2026-11-21T15:04:05.678Z' } as const;
const TIME_OR_NULL = { ...TIME, type: 'string', nullable: true } as const;

export class OtpChannelView {
  @ApiProperty({ enum: OTP_METHODS, enumName: 'OtpMethod', description: 'How it goes.' })
  method: OtpMethod;

  @ApiProperty({ ...shape.text(254), description: 'Where the code goes.', example: '+57 ••• ••• 1234' })
  destination_masked: string;
}

export class OtpStandingView {
  @ApiProperty({
    ...{ type: () => [OtpChannelView], minItems: 1, maxItems: 2 },
    description: 'How a code can be sent now: the signer chooses one.',
  })
  channels: OtpChannelView[];

  @ApiProperty({
    ...{ enum: OTP_METHODS, enumName: 'OtpMethod', nullable: true },
    description: 'How the code was sent that was sent last; null when none was sent, or it was used.',
  })
  sent_by: OtpMethod | null;

  @ApiProperty({ description: 'A code was sent and not used yet.' })
  sent: boolean;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Until when the code that was sent last is valid.' })
  expires_at: string | null;

  @ApiProperty({ ...TIME, description: 'From when another code may be sent.' })
  resend_after: string;

  @ApiProperty({ ...shape.count(), description: '0: locked until another code is sent.' })
  attempts_left: number;
}

export class AccessCodeStandingView {
  @ApiProperty(shape.count())
  attempts_left: number;

  @ApiProperty({ ...TIME_OR_NULL, description: 'No code is looked at before; null: not locked.' })
  locked_until: string | null;
}

export class AuthenticationView {
  @ApiProperty({
    maxItems: AUTH_METHODS.length,
    enum: AUTH_METHODS,
    enumName: 'AuthMethod',
    isArray: true,
    description: 'In the order in which they are done.',
  })
  required: AuthMethod[];

  @ApiProperty({
    maxItems: AUTH_METHODS.length,
    enum: AUTH_METHODS,
    enumName: 'AuthMethod',
    isArray: true,
    description: 'By the proof that came with this request; nothing without one.',
  })
  completed: AuthMethod[];

  @ApiProperty({
    type: () => OtpStandingView,
    nullable: true,
    description: 'While a code can be given that is sent: to sign, to decline, or to see the document.',
  })
  otp: OtpStandingView | null;

  @ApiProperty({
    type: () => AccessCodeStandingView,
    nullable: true,
    description: 'While the access code can be given.',
  })
  access_code: AccessCodeStandingView | null;

  @ApiProperty({ description: 'Whether an identity can be verified now: to sign, to decline, or to see the document.' })
  identity: boolean;
}

export function authenticationOf(facts: SignerFacts, standing: Standing): AuthenticationView {
  const due = possibleAuthentication(standing);
  const channels = otpMethodsDue(standing);
  const now = new Date();
  const lockedUntil = facts.code_locked_until && facts.code_locked_until > now ? facts.code_locked_until : null;
  const codeAttempts = facts.code_locked_until && !lockedUntil ? 0 : facts.code_attempts;
  return {
    required: facts.auth,
    completed: facts.auth.filter((method) => standing.proven.includes(method)),
    otp: channels.length > 0 ? otpOf(facts, channels, now) : null,
    access_code:
      due === 'access_code'
        ? {
            attempts_left: lockedUntil ? 0 : ACCESS_CODE.tries - codeAttempts,
            locked_until: lockedUntil?.toISOString() ?? null,
          }
        : null,
    identity: due === 'identity',
  };
}

function otpOf(facts: SignerFacts, methods: readonly OtpMethod[], now: Date): OtpStandingView {
  const { otp_sent, otp_expires_at, otp_attempts, code_misses, expires_at } = facts;
  const sentBy = otp_sent ? methods.find((method) => method === (facts.otp_method ?? 'otp_email')) : undefined;
  const sends = sendsBy(facts, methods[0] as OtpMethod);
  const next = nextSendAt({ sends, misses: code_misses, expiresAt: expires_at });
  return {
    channels: methods.map((method) => ({ method, destination_masked: maskedDestination(facts, method) })),
    sent_by: sentBy ?? null,
    sent: sentBy !== undefined,
    expires_at: sentBy ? (otp_expires_at?.toISOString() ?? null) : null,
    resend_after: (next > now ? next : now).toISOString(),
    attempts_left: Math.max(0, Math.min(OTP.tries - (sentBy ? otp_attempts : 0), MISSES_PER_LINK - code_misses)),
  };
}
