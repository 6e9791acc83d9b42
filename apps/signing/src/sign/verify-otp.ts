import type { Tx } from '@constancia/persistence';
import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SigningConfig } from '../config.ts';
import { afterCode } from './code-route.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import type { IssuedProof } from '../signer-requests/signer-proofs.ts';
import { MISSES_PER_LINK, OTP, OtpCodes } from '../signer-requests/otp-codes.ts';
import { type CodeAsked, missed, proven, type RefusedCode } from '../signer-requests/proof-outcome.ts';
import { notNow, requireAllowed, SignerRequests, standingOf } from '../signer-requests/signer-requests.ts';
import { ProvenState, setProofCookie } from '../signer-requests/proven-state.ts';
import { isTextMethod } from '../circuits/text-methods.ts';
import { codeRecipient, maskedDestination, otpMethodsDue } from '../signer-requests/otp-choice.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';

export class OtpBody {
  @ApiProperty({ example: '012345' })
  @Matches(/^[0-9]{6}$/, { message: 'must be the six digits of the code' })
  code: string;
}

/** POST /v1/sign/{token}/otp/verify: the code that was sent. */
@SignerController()
export class VerifyOtp {
  constructor(
    private readonly requests: SignerRequests,
    private readonly codes: OtpCodes,
    private readonly config: SigningConfig,
  ) {}

  @Post('otp/verify')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'verifyOtp',
    summary: 'Give the code that was sent',
    description:
      'A code that is not accepted: 422 with `reason` (wrong, expired, locked) and `attempts_left`. After five wrong ones every code is ' +
      'refused until another one is sent. Before any was sent: 409.',
  })
  @ApiOkResponse({ type: ProvenState, description: 'How the signer stands, and the proof.' })
  @SignerRoute('state-conflict', 'unprocessable-entity')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { code }: OtpBody,
  ): Promise<ProvenState> {
    const state = await afterCode(this.requests, { found, method: 'otp_email' }, (tx, held) =>
      this.look(tx, { held, found, visitor }, code),
    );
    setProofCookie({ request, reply, config: this.config }, state);
    return state;
  }

  private async look(tx: Tx, asked: CodeAsked, code: string): Promise<IssuedProof | RefusedCode> {
    const { held, visitor } = asked;
    requireAllowed(held, 'otp/verify');
    const { signer } = held;
    const { id, otp_hash, otp_expires_at, otp_attempts, code_misses } = signer;
    const method = signer.otp_method ?? 'otp_email';
    const isDue = otpMethodsDue(standingOf(held)).includes(method);
    if (otp_hash === null || otp_expires_at === null || !isDue) throw notNow(standingOf(held), 'No code was sent yet');
    if (otp_attempts >= OTP.tries || code_misses >= MISSES_PER_LINK) return { reason: 'locked', attemptsLeft: 0 };
    if (otp_expires_at.getTime() <= Date.now()) return { reason: 'expired', attemptsLeft: 0 };
    if (this.codes.matches(codeRecipient(id, method), code, otp_hash)) {
      const used = { otp_hash: null, otp_method: null, otp_expires_at: null, otp_attempts: 0 };
      const evidence = isTextMethod(method) ? { destination_masked: maskedDestination(signer, method) } : {};
      return proven(tx, asked, method, used, evidence);
    }
    const attemptsLeft = Math.min(OTP.tries - otp_attempts, MISSES_PER_LINK - code_misses) - 1;
    await missed(tx, held, visitor, method, { attemptsLeft, columns: { otp_attempts: otp_attempts + 1 } });
    return { reason: attemptsLeft === 0 ? 'locked' : 'wrong', attemptsLeft };
  }
}
