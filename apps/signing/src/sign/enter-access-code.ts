import type { Tx } from '@constancia/persistence';
import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAccessCode } from '../envelopes/access-codes.ts';
import { SigningConfig } from '../config.ts';
import { afterCode } from './code-route.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import type { IssuedProof } from '../signer-requests/signer-proofs.ts';
import { ACCESS_CODE, MISSES_PER_LINK } from '../signer-requests/otp-codes.ts';
import { type CodeAsked, missed, proven, type RefusedCode } from '../signer-requests/proof-outcome.ts';
import { requireAllowed, SignerRequests } from '../signer-requests/signer-requests.ts';
import { ProvenState, setProofCookie } from '../signer-requests/proven-state.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';

export class AccessCodeBody {
  @ApiProperty({ description: 'The code that the sender agreed with the signer.' })
  @IsString()
  @Length(1, 64)
  code: string;
}

/** POST /v1/sign/{token}/access-code: the code that the sender gave the signer by another way. */
@SignerController()
export class EnterAccessCode {
  constructor(
    private readonly requests: SignerRequests,
    private readonly config: SigningConfig,
  ) {}

  @Post('access-code')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'enterAccessCode',
    summary: 'Give the access code',
    description:
      'A code that is not accepted: 422 with `reason` (wrong, locked) and `attempts_left`. After five wrong ones no code is looked at ' +
      'for 15 minutes (`locked_until`), and after 50 by one link none at all: the sender can make a new link.',
  })
  @ApiOkResponse({ type: ProvenState, description: 'How the signer stands, and the proof.' })
  @SignerRoute('state-conflict', 'unprocessable-entity')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { code }: AccessCodeBody,
  ): Promise<ProvenState> {
    const state = await afterCode(this.requests, { found, method: 'access_code' }, (tx, held) =>
      look(tx, { held, found, visitor }, code),
    );
    setProofCookie({ request, reply, config: this.config }, state);
    return state;
  }
}

async function look(tx: Tx, asked: CodeAsked, code: string): Promise<IssuedProof | RefusedCode> {
  const { held, visitor } = asked;
  requireAllowed(held, 'access-code');
  const { access_code_hash, code_attempts, code_locked_until, code_misses } = held.signer;
  const now = Date.now();
  if (code_locked_until && code_locked_until.getTime() > now) {
    return { reason: 'locked', attemptsLeft: 0, lockedUntil: code_locked_until };
  }
  if (access_code_hash !== null && (await isAccessCode(code, access_code_hash))) {
    return proven(tx, asked, 'access_code', { code_attempts: 0, code_locked_until: null });
  }
  const missesBefore = code_locked_until ? 0 : code_attempts; // a lock that ended wipes the slate
  const last = code_misses + 1 >= MISSES_PER_LINK;
  const attemptsLeft = last ? 0 : ACCESS_CODE.tries - missesBefore - 1;
  const lockEnds = last ? held.envelope.expires_at : new Date(now + ACCESS_CODE.lockedMs);
  const lockedUntil = attemptsLeft === 0 ? lockEnds : undefined;
  const columns = { code_attempts: missesBefore + 1, code_locked_until: lockedUntil ?? null };
  await missed(tx, held, visitor, 'access_code', { attemptsLeft, columns });
  return { reason: lockedUntil ? 'locked' : 'wrong', attemptsLeft, ...(lockedUntil && { lockedUntil }) };
}
