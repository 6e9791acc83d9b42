import type { Actor } from '@constancia/contracts';
import {
  actingOf,
  ApiProblems,
  CurrentPrincipal,
  overOwnLimit,
  type Principal,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { MailRoom } from '../mails/mail-room.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import { refuseEnvelopeAction, refuseSignerAction, signerOf } from './envelope-refusals.ts';
import type { EnvelopeRow, SignerColumns, SignerRow } from '../envelope-records/envelope-rows.ts';
import { signerTransition } from '../envelope-records/envelope-states.ts';
import { ENVELOPE_ID_EXAMPLE } from './envelope-view.ts';
import { Envelopes } from './envelopes.ts';
import { type IssuedToken, SignTokens } from '../envelope-records/sign-tokens.ts';
import { SIGNER_ID_EXAMPLE, SignerLinkView } from './signer-view.ts';
import { recordEvent } from '../envelope-records/trail.ts';

/** The progress made through the former link. The trail keeps it; the holder of the new link starts from the beginning. */
const FROM_THE_BEGINNING: SignerColumns = {
  auth_done: [],
  viewed_at: null,
  consent_version: null,
  consent_locale: null,
  consent_sha256: null,
  consented_at: null,
  document_shown_sha256: null,
  document_shown_at: null,
  link_stopped_at: null,
  authenticated_at: null,
  otp_hash: null,
  otp_method: null,
  otp_expires_at: null,
  otp_attempts: 0,
  code_misses: 0,
  code_attempts: 0,
  code_locked_until: null,
};

/** POST /v1/envelopes/{id}/signers/{signer_id}/rotate-token: a new link takes the place of the one before. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class RotateToken {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly tokens: SignTokens,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    private readonly room: MailRoom,
  ) {}

  @Post(':id/signers/:signer_id/rotate-token')
  @RequireScope('signing:write')
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateSignToken',
    summary: "Replace a signer's link",
    description:
      'The former link stops working at once, and the signer starts again: consent and authentication through the former link no ' +
      'longer count. With `notify` the new link is mailed when it is the turn of the signer, at most once in 10 minutes (429). The ' +
      'answer is the only one that shows it.',
  })
  @ApiParam({ name: 'id', example: ENVELOPE_ID_EXAMPLE })
  @ApiParam({ name: 'signer_id', example: SIGNER_ID_EXAMPLE })
  @ApiOkResponse({ type: SignerLinkView, description: 'The signer with the new link.' })
  @ApiProblems('not-found', 'state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('signer_id') signerId: string,
  ): Promise<SignerLinkView> {
    const { by } = actingOf(undefined, principal);
    const view = await this.envelopes.change(principal.tenant.id, id, async ({ envelope, signers }, tx) => {
      const signer = signerOf(signers, signerId);
      refuseEnvelopeAction(envelope, 'rotate');
      refuseSignerAction(signer, 'rotate');
      const issued = this.tokens.issue(signer.id);
      const rotated = await this.replaceLink(tx, { envelope, signer, by }, issued);
      return SignerLinkView.withLink(rotated, { sign_token: issued.token, sign_url: this.tokens.urlOf(issued.token) });
    });
    this.mails.wake();
    return view;
  }

  private async replaceLink(
    tx: Tx,
    { envelope, signer, by }: { envelope: EnvelopeRow; signer: SignerRow; by: Actor },
    { hash, sealed }: IssuedToken,
  ): Promise<SignerRow> {
    const status = signerTransition(signer.status, 'rotate')?.to ?? signer.status;
    const rotated = await updateSigner(tx, signer, {
      ...FROM_THE_BEGINNING,
      status,
      token_hash: hash,
      token_sealed: sealed,
    });
    const { tenant_id: tenantId, id: envelopeId } = envelope;
    await recordEvent(tx, {
      tenantId,
      envelopeId,
      type: 'signer.token_rotated',
      signer,
      data: { status: signer.status, by },
    });
    if (envelope.notify && status === 'pending') {
      await this.refuseTooSoon(tx, signer);
      await this.signerMails.withdrawInvitations(tx, signer);
      const dedupe = `${linkMails(signer)}${hash.toString('hex')}`;
      await this.signerMails.enqueue(tx, { kind: 'invitation', envelope, signer, dedupe });
    }
    return rotated;
  }

  private async refuseTooSoon(tx: Tx, signer: SignerRow): Promise<void> {
    const { betweenLinksMs } = this.room.limits;
    if (betweenLinksMs === 0) return;
    const [latest] = await tx.query<{ at: Date | null }>(
      `select max(created_at) as at from signing.signer_mail
        where signer_id = $1 and kind = 'invitation' and starts_with(dedupe, $2)`,
      [signer.id, linkMails(signer)],
    );
    const until = new Date((latest?.at?.getTime() ?? 0) + betweenLinksMs);
    if (until.getTime() <= Date.now()) return;
    throw overOwnLimit({
      ...{ name: 'link-mails', limit: 1, windowSeconds: betweenLinksMs / 1_000, until },
      detail: 'A new link was mailed to this signer a moment ago, and stays as it is',
    });
  }
}

/** How the dedupe of a mail with a new link begins; that of the first invitation ends before the last colon. */
const linkMails = ({ id }: SignerRow): string => `invitation:${id}:`;
