import {
  actingOf,
  ApiProblems,
  CurrentPrincipal,
  overOwnLimit,
  type Principal,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import { StateConflict } from '@constancia/problem-json';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import { refuseEnvelopeAction, refuseSignerAction, signerOf } from './envelope-refusals.ts';
import type { SignerRow } from '../envelope-records/envelope-rows.ts';
import { ENVELOPE_ID_EXAMPLE, EnvelopeView } from './envelope-view.ts';
import { Envelopes } from './envelopes.ts';
import { recordEvent } from '../envelope-records/trail.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';
import { SIGNER_ID_EXAMPLE } from './signer-view.ts';

const BETWEEN_REMINDERS_MS = 10 * 60_000;

/** POST /v1/envelopes/{id}/signers/{signer_id}/remind: mail the link again. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class RemindSigner {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    private readonly tokens: SignTokens,
  ) {}

  @Post(':id/signers/:signer_id/remind')
  @RequireScope('signing:write')
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'remindSigner',
    summary: 'Remind a signer',
    description:
      'Mails the same link again, also when the envelope was made with `notify: false`. The signer must be able to sign, and 10 minutes ' +
      'lie between two reminders; one address gets at most 10 invitations and reminders from a tenant in 24 hours: 429 with Retry-After and ' +
      'the headers of that limit.',
  })
  @ApiParam({ name: 'id', example: ENVELOPE_ID_EXAMPLE })
  @ApiParam({ name: 'signer_id', example: SIGNER_ID_EXAMPLE })
  @ApiOkResponse({ type: EnvelopeView, description: 'The envelope; the reminder is on its way.' })
  @ApiProblems('not-found', 'state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('signer_id') signerId: string,
  ): Promise<EnvelopeView> {
    const { tenant } = principal;
    await this.envelopes.change(tenant.id, id, async ({ envelope, signers }, tx) => {
      const signer = signerOf(signers, signerId);
      refuseEnvelopeAction(envelope, 'remind');
      refuseSignerAction(signer, 'remind');
      refuseStopped(signer);
      const now = new Date();
      refuseTooSoon(signer, now);
      await updateSigner(tx, signer, { reminded_at: now });
      await this.signerMails.withdrawInvitations(tx, signer);
      const dedupe = `reminder:${signer.id}:${now.getTime()}`;
      await this.signerMails.enqueue(tx, { kind: 'reminder', envelope, signer, dedupe });
      await recordEvent(tx, {
        tenantId: tenant.id,
        envelopeId: envelope.id,
        type: 'signer.reminded',
        signer,
        data: { by: actingOf(undefined, principal).by },
      });
    });
    this.mails.wake();
    return EnvelopeView.ofFile(await this.envelopes.find(tenant.id, id), this.tokens);
  }
}

/** The holder of the link said that it is not theirs: mailing it again would not help. */
function refuseStopped({ status, link_stopped_at }: SignerRow): void {
  if (link_stopped_at === null) return;
  throw new StateConflict('The link reached the wrong person and has stopped working: make a new one (rotate-token).', {
    status_of_signer: status,
    allowed_actions: ['void', 'rotate'],
  });
}

function refuseTooSoon({ reminded_at }: SignerRow, now: Date): void {
  if (reminded_at === null) return;
  const waitMs = reminded_at.getTime() + BETWEEN_REMINDERS_MS - now.getTime();
  if (waitMs <= 0) return;
  throw overOwnLimit({
    ...{ name: 'reminder', limit: 1, windowSeconds: BETWEEN_REMINDERS_MS / 1_000 },
    until: new Date(reminded_at.getTime() + BETWEEN_REMINDERS_MS),
    detail: 'The signer was reminded less than 10 minutes ago',
  });
}
