import { randomBytes } from 'node:crypto';
import { emitEvent } from '@constancia/events';
import { HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation } from '@nestjs/swagger';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import { envelopeEvent } from '../envelope-records/envelope-events.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { requireAllowed, SignerRequests, witnessed } from '../signer-requests/signer-requests.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';

/** POST /v1/sign/{token}/not-me: the link reached somebody else. It stops working until the sender makes a new one. */
@SignerController()
export class NotMe {
  constructor(
    private readonly requests: SignerRequests,
    private readonly mails: SignerMails,
  ) {}

  @Post('not-me')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'notMe',
    summary: 'Say that the link reached the wrong person',
    description:
      'Needs no authentication and ends nothing: the sender is notified by event and by mail, and this link stops working until the ' +
      'sender makes a new one (rotate-token).',
  })
  @ApiNoContentResponse({ description: 'The link has stopped working.' })
  @SignerRoute('state-conflict')
  handle(@CurrentSigner() found: FoundSigner, @CurrentVisitor() visitor: Visitor): Promise<void> {
    return this.requests.serve(found, async (tx, held) => {
      requireAllowed(held, 'not-me');
      const { envelope, signer } = held;
      // Another hash: no process finds the signer by this link any more, of whatever release.
      await updateSigner(tx, signer, { link_stopped_at: new Date(), token_hash: randomBytes(32), otp_hash: null });
      await witnessed(tx, held, visitor, 'signer.not_me', {});
      await this.mails.withdrawInvitations(tx, signer);
      const dedupe = `not_me:${signer.id}:${found.tokenHash.toString('hex')}`;
      await this.mails.enqueue(tx, { kind: 'not_me', envelope, signer, dedupe });
      const event = envelopeEvent('seal.envelope.not_me', envelope, signer);
      await emitEvent(tx, event);
      return { result: undefined, events: [event], mails: true };
    });
  }
}
