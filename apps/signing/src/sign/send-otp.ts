import { shape } from '@constancia/contracts';
import { ApiOptional, overOwnLimit } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { DependencyUnavailable } from '@constancia/problem-json';
import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import { refuseUnprovenSender } from '../mails/sender-owners.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { MISSES_PER_LINK, nextSendAt, OTP, OtpCodes, type SentCodes, withSend } from '../signer-requests/otp-codes.ts';
import {
  type HeldEnvelope,
  requireAllowed,
  SignerRequests,
  standingOf,
  witnessed,
} from '../signer-requests/signer-requests.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { TextMessages } from '@constancia/text-messages';
import { isTextMethod, OTP_METHODS, type OtpMethod, TEXT_CHANNEL, type TextMethod } from '../circuits/text-methods.ts';
import { TextRoom } from '../mails/text-room.ts';
import {
  chosenMethod,
  codeRecipient,
  maskedDestination,
  otpMethodsDue,
  sendsBy,
} from '../signer-requests/otp-choice.ts';
import { ENVELOPE_LOCALES, type EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

export class SendOtpBody {
  @ApiOptional({
    enumName: 'EnvelopeLocale',
    description: "Language of the mail or message: the one that the page is read in. Left out: the envelope's.",
  })
  @IsIn(ENVELOPE_LOCALES)
  locale?: EnvelopeLocale;

  @ApiOptional({
    enumName: 'OtpMethod',
    description: 'How to send it, of `auth.otp.channels`. Left out: the first of them.',
  })
  @IsIn(OTP_METHODS)
  method?: OtpMethod;
}

export class SentOtpView {
  @ApiProperty({ enum: OTP_METHODS, enumName: 'OtpMethod', description: 'How it was sent.' })
  method: OtpMethod;

  @ApiProperty({ ...shape.text(254), example: 'a***@c***.co' })
  destination_masked: string;

  @ApiProperty({ format: 'date-time', description: 'Until when the code is valid: 10 minutes.' })
  expires_at: string;

  @ApiProperty({ format: 'date-time', description: 'From when another code may be sent.' })
  resend_after: string;
}

/** POST /v1/sign/{token}/otp/send: send the signer a code. It takes the place of the one before, and unlocks what wrong codes locked. */
@SignerController()
export class SendOtp {
  constructor(
    private readonly requests: SignerRequests,
    private readonly codes: OtpCodes,
    private readonly mails: SignerMails,
    private readonly texts: TextMessages,
    private readonly textRoom: TextRoom,
  ) {}

  @Post('otp/send')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'sendOtp',
    summary: 'Send a code to the signer',
    description:
      'Six digits, valid for 10 minutes, to the address or number that the envelope names; the codes sent before are void. Once a minute, five ' +
      'times an hour, for a number across all envelopes and tenants, and ten times a day then: else 429 with Retry-After. After 50 wrong ' +
      'codes by one link no other is sent: the sender can make a new link.',
  })
  @ApiBody({ type: SendOtpBody, required: false })
  @ApiAcceptedResponse({ type: SentOtpView, description: 'The code is on its way.' })
  @SignerRoute('state-conflict')
  handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Body() { locale, method: wanted }: SendOtpBody,
  ): Promise<SentOtpView> {
    return this.requests.serve(found, async (tx, held) => {
      requireAllowed(held, 'otp/send');
      const { envelope, signer } = held;
      const method = chosenMethod(otpMethodsDue(standingOf(held)), wanted);
      const now = new Date();
      const codes = { misses: signer.code_misses, expiresAt: envelope.expires_at };
      const sends = sendsBy(signer, method);
      await this.refuseUnsendable(tx, held, method);
      refuseTooEarly({ ...codes, sends }, now);
      if (isTextMethod(method)) await this.textRoom.take(tx, envelope.tenant_id, phoneOf(held));
      const code = this.codes.newCode();
      const expiresAt = new Date(now.getTime() + OTP.validMs);
      const sendsNow = withSend(sends, now);
      await updateSigner(tx, signer, {
        otp_hash: this.codes.hashOf(codeRecipient(signer.id, method), code),
        otp_method: method,
        otp_expires_at: expiresAt,
        otp_attempts: 0,
        ...(isTextMethod(method) ? { phone_otp_sends: sendsNow } : { otp_sends: sendsNow }),
      });
      const dedupe = `otp:${signer.id}:${now.getTime()}`;
      const kind = isTextMethod(method) ? method : 'otp';
      await this.mails.enqueue(tx, { kind, envelope, signer, secret: code, dedupe, expiresAt, locale });
      const destination = maskedDestination(signer, method);
      await witnessed(tx, held, visitor, 'signer.otp_sent', { method, destination_masked: destination });
      const result = {
        method,
        destination_masked: destination,
        expires_at: expiresAt.toISOString(),
        resend_after: nextSendAt({ ...codes, sends: sendsNow }).toISOString(),
      };
      return { result, mails: true };
    });
  }

  private async refuseUnsendable(tx: Tx, { envelope, signer }: HeldEnvelope, method: OtpMethod): Promise<void> {
    if (isTextMethod(method) && !this.texts.channels.includes(TEXT_CHANNEL[method])) throw notConfigured(method);
    await refuseUnprovenSender(tx, envelope.tenant_id, isTextMethod(method) ? null : signer.email);
  }
}

function notConfigured(method: TextMethod): DependencyUnavailable {
  return new DependencyUnavailable(`No sender of codes by ${TEXT_CHANNEL[method]} is configured here at present.`);
}

/** Envelopes are refused without a number where the role needs one. */
function phoneOf({ signer }: HeldEnvelope): string {
  if (signer.phone === null) throw new Error('a signer who gets codes on a phone has no number');
  return signer.phone;
}

/** The answer's limit is that of the codes then: waiting until X-RateLimit-Reset suffices for the next one. */
function refuseTooEarly(codes: SentCodes, now: Date): void {
  const next = nextSendAt(codes);
  const waitMs = next.getTime() - now.getTime();
  if (waitMs <= 0) return;
  const [limit, window] = waitMs > OTP.betweenSendsMs ? [OTP.sendsPerHour, 3600] : [1, OTP.betweenSendsMs / 1000];
  throw overOwnLimit({
    ...{ name: 'otp', limit, windowSeconds: window, until: next },
    detail:
      codes.misses >= MISSES_PER_LINK
        ? 'Too many wrong codes, no other is sent by this link. The sender can make a new one.'
        : 'A code was sent already',
    members: { resend_after: next.toISOString() },
  });
}
