import { shape } from '@constancia/contracts';
import { maskedEmail } from '@constancia/kernel';
import { ApiOptional, overOwnLimit } from '@constancia/http';
import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import { refuseUnprovenSender } from '../mails/sender-owners.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { MISSES_PER_LINK, nextSendAt, OTP, OtpCodes, type SentCodes, withSend } from '../signer-requests/otp-codes.ts';
import { requireAllowed, SignerRequests, witnessed } from '../signer-requests/signer-requests.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { ENVELOPE_LOCALES, type EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

export class SendOtpBody {
  @ApiOptional({
    enumName: 'EnvelopeLocale',
    description: "Language of the mail: the one that the page is read in. Left out: the envelope's.",
  })
  @IsIn(ENVELOPE_LOCALES)
  locale?: EnvelopeLocale;
}

export class SentOtpView {
  @ApiProperty({ ...shape.text(254), example: 'a***@c***.co' })
  destination_masked: string;

  @ApiProperty({ format: 'date-time', description: 'Until when the code is valid: 10 minutes.' })
  expires_at: string;

  @ApiProperty({ format: 'date-time', description: 'From when another code may be sent.' })
  resend_after: string;
}

/** POST /v1/sign/{token}/otp/send: mail the signer a code. It takes the place of the one before, and unlocks what wrong codes locked. */
@SignerController()
export class SendOtp {
  constructor(
    private readonly requests: SignerRequests,
    private readonly codes: OtpCodes,
    private readonly mails: SignerMails,
  ) {}

  @Post('otp/send')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'sendOtp',
    summary: 'Mail a code to the signer',
    description:
      'Six digits, valid for 10 minutes, to the address that the envelope names; the codes sent before are void. Once a minute, five ' +
      'times an hour: else 429 with Retry-After. After 50 wrong codes by one link no other is sent: the sender can make a new link.',
  })
  @ApiBody({ type: SendOtpBody, required: false })
  @ApiAcceptedResponse({ type: SentOtpView, description: 'The code is on its way.' })
  @SignerRoute('state-conflict')
  handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Body() { locale }: SendOtpBody,
  ): Promise<SentOtpView> {
    return this.requests.serve(found, async (tx, held) => {
      requireAllowed(held, 'otp/send');
      const { envelope, signer } = held;
      const now = new Date();
      await refuseUnprovenSender(tx, envelope.tenant_id, signer.email);
      const codes = { misses: signer.code_misses, expiresAt: envelope.expires_at };
      refuseTooEarly({ ...codes, sends: signer.otp_sends }, now);
      const code = this.codes.newCode();
      const expiresAt = new Date(now.getTime() + OTP.validMs);
      const sends = withSend(signer.otp_sends, now);
      await updateSigner(tx, signer, {
        otp_hash: this.codes.hashOf(signer.id, code),
        otp_expires_at: expiresAt,
        otp_attempts: 0,
        otp_sends: sends,
      });
      const dedupe = `otp:${signer.id}:${now.getTime()}`;
      await this.mails.enqueue(tx, { kind: 'otp', envelope, signer, secret: code, dedupe, expiresAt, locale });
      const destination = maskedEmail(signer.email);
      await witnessed(tx, held, visitor, 'signer.otp_sent', { method: 'otp_email', destination_masked: destination });
      const result = {
        destination_masked: destination,
        expires_at: expiresAt.toISOString(),
        resend_after: nextSendAt({ ...codes, sends }).toISOString(),
      };
      return { result, mails: true };
    });
  }
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
