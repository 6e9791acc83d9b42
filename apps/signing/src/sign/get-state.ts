import { ApiOptional } from '@constancia/http';
import { Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { isOpen } from '../envelope-records/envelope-states.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { SignState } from '../signer-requests/sign-state-view.ts';
import { SignerRequests } from '../signer-requests/signer-requests.ts';
import { AnswersState, SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { ENVELOPE_LOCALES, type EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

export class StateQuery {
  @ApiOptional({
    enumName: 'EnvelopeLocale',
    description: "Language of the consent text; left out: the envelope's.",
  })
  @IsIn(ENVELOPE_LOCALES)
  locale?: EnvelopeLocale;
}

/** GET /v1/sign/{token}: how the signer stands. The first time that a signer who may sign asks is an event. */
@SignerController()
export class GetState {
  constructor(private readonly requests: SignerRequests) {}

  @Get()
  @ApiOperation({
    operationId: 'getSignState',
    summary: 'Show where a signer stands',
    description:
      'Everything that the signing page needs. `next` names the step that is due: wait (an earlier signer is not done), consent, otp, ' +
      'access_code or identity, sign, done. Asking for it the first time, while the signer may sign, counts as having opened the link. Without a proof of authentication (cookie or ' +
      '`X-Sign-Proof`) `next` is otp, access_code or identity, regardless of what was done in another browser.',
  })
  @AnswersState()
  @SignerRoute()
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Query() { locale }: StateQuery,
  ): Promise<SignState> {
    const { status, envelope_status } = found.facts;
    const first = visitor.sees && status === 'pending' && isOpen(envelope_status);
    return SignState.of(first ? await this.requests.openLink(found, visitor) : found.facts, locale);
  }
}
