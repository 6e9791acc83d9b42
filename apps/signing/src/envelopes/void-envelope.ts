import { hintDeliveries } from '@constancia/events';
import {
  actingOf,
  ApiProblems,
  BODY_PROBLEMS,
  CurrentPrincipal,
  IsMailedText,
  type Principal,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import { Queues } from '@constancia/queue';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { endEnvelope } from './end-envelope.ts';
import { refuseEnvelopeAction } from './envelope-refusals.ts';
import { ENVELOPE_ID_EXAMPLE, EnvelopeView } from './envelope-view.ts';
import { Envelopes } from './envelopes.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';

const REASON_LIMIT = 500;

export class VoidEnvelopeBody {
  @ApiProperty({ description: 'Signers who were written to read it.', example: 'Las partes acordaron otro precio.' })
  @IsString()
  @Length(1, REASON_LIMIT)
  @IsMailedText()
  reason: string;
}

/** POST /v1/envelopes/{id}/void: nobody can sign it any more, and its links stop working. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class VoidEnvelope {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    private readonly queues: Queues,
    private readonly tokens: SignTokens,
  ) {}

  @Post(':id/void')
  @RequireScope('signing:write')
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'voidEnvelope',
    summary: 'Void an envelope',
    description:
      'While it is `sent` or `in_progress`. Signers who were written to are notified. The credits are not given back.',
  })
  @ApiParam({ name: 'id', example: ENVELOPE_ID_EXAMPLE })
  @ApiOkResponse({ type: EnvelopeView, description: 'The voided envelope.' })
  @ApiProblems(...BODY_PROBLEMS, 'not-found', 'state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { reason }: VoidEnvelopeBody,
  ): Promise<EnvelopeView> {
    const { tenant } = principal;
    const { by } = actingOf(undefined, principal);
    const event = await this.envelopes.change(tenant.id, id, ({ envelope }, tx) => {
      refuseEnvelopeAction(envelope, 'void');
      return endEnvelope(tx, this.signerMails, { envelope, action: 'void', reason, data: { by } });
    });
    hintDeliveries(this.queues, [event]);
    this.mails.wake();
    return EnvelopeView.ofFile(await this.envelopes.find(tenant.id, id), this.tokens);
  }
}
