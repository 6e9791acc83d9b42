import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, Length } from 'class-validator';
import { endEnvelope } from '../envelopes/end-envelope.ts';
import { newSalt, reasonDigest } from '../envelope-records/person-digest.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { SignState } from '../signer-requests/sign-state-view.ts';
import { frameOf, moved, requireAllowed, SignerRequests } from '../signer-requests/signer-requests.ts';
import { AnswersState, SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';

export class DeclineBody {
  @ApiProperty({ description: 'Why; the sender reads it.', example: 'El valor no es el acordado.' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.normalize('NFC').trim() : value))
  @IsString()
  @Length(1, 1000)
  reason: string;
}

/** POST /v1/sign/{token}/decline: the signer will not sign, which ends the envelope for everyone. */
@SignerController()
export class Decline {
  constructor(
    private readonly requests: SignerRequests,
    private readonly mails: SignerMails,
  ) {}

  @Post('decline')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'declineToSign',
    summary: 'Decline to sign',
    description:
      'Needs the authentication of the role (cookie or `X-Sign-Proof`), which is possible before consenting, too; of a role with further ' +
      'methods before `identity`, those only. It ends the envelope: ' +
      'nobody can sign it any more, and the sender and those who were invited are notified. Who got the link by mistake uses `not-me`.',
  })
  @AnswersState()
  @SignerRoute('state-conflict')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Body() { reason }: DeclineBody,
  ): Promise<SignState> {
    const facts = await this.requests.serveState(found, async (tx, held) => {
      requireAllowed(held, 'decline');
      const { envelope } = held;
      const person_salt = held.signer.person_salt ?? newSalt();
      const signer = await moved(tx, held.signer, 'decline', {
        declined_at: new Date(),
        decline_reason: reason,
        person_salt,
        otp_hash: null,
      });
      const { ip, userAgent } = visitor;
      const data = { reason_sha256: reasonDigest(reason, person_salt), ...frameOf(visitor) };
      const event = await endEnvelope(tx, this.mails, { envelope, action: 'decline', signer, ip, userAgent, data });
      return { events: [event], mails: true };
    });
    return SignState.of(facts);
  }
}
