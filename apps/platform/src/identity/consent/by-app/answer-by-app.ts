import { KycRejected, NotFound, UnprocessableEntity } from '@constancia/problem-json';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';
import { AppResponses, type PresentedCredential } from '../../openid4vp/app-responses.ts';
import { claimsOfCredential } from '../../openid4vp/credential-claim-names.ts';
import { isOpen, lockPresentation, presentationRow } from '../../presentations/presentation-rows.ts';
import type { Presentation } from '../../presentations/presentation.entity.ts';
import { claimNames } from '../../presentations/released-claims.ts';
import { currentPresentedText } from '../../wallet/share-texts.ts';
import { WalletKeys } from '../../wallet/wallet-keys.ts';
import { holdWallet, OBSTACLES } from '../approve-presentation.ts';
import { ConsentStates } from '../consent-states.ts';
import { type AnswerOrigin, GivePresentation } from '../give-presentation.ts';
import type { AppRequestBearer } from './app-request-links.ts';

/** The answer of a wallet app to a request: a credential, which counts once for it. */
@Injectable()
export class AnswerByApp {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly states: ConsentStates,
    private readonly keys: WalletKeys,
    private readonly responses: AppResponses,
    private readonly giving: GivePresentation,
  ) {}

  /** The signed request. Throws NotFound once it is over. */
  async request(bearer: AppRequestBearer): Promise<string> {
    const { app_request } = await this.open(bearer);
    return app_request;
  }

  /**
   * Answers where the person goes on, if anywhere. Throws BadRequest, UnprocessableEntity for what proves nothing, KycRejected for what the
   * tenant does not accept, and NotFound once the request is over: nothing has changed then.
   */
  async answer(
    bearer: AppRequestBearer,
    response: string,
    origin: AnswerOrigin,
  ): Promise<{ returnUrl: string | null }> {
    const row = await this.open(bearer);
    const presented = await this.responses.read(row, response);
    const { walletId, verificationId } = presented;
    const facts = await this.states.answerableOf(row, walletId, (verifications) => {
      const verification = verifications.find(({ id }) => id === verificationId);
      if (verification === undefined) throw new NotFound();
      return { verification, released: claimsOfCredential(presented.claims, row.claims) };
    });
    const { obstacle, released, verification, kept, opened } = facts;
    if (obstacle !== null || released === null) throw new KycRejected(OBSTACLES[obstacle ?? 'missing']);
    const { wrapped_key, locale } = opened.wallet;
    const key = await this.keys.unwrap(walletId, wrapped_key as Buffer);
    const text = currentPresentedText(locale, { ...row, claims: claimNames(row.claims) });
    const answer = {
      asking: null,
      walletId,
      key,
      verification,
      verifiedFor: kept.verified_for,
      released,
      text,
      origin,
    };
    const { tenantId, presentationId } = bearer;
    await this.database.tenantAndWallet(tenantId, walletId, async (tx) => {
      const locked = await lockPresentation(tx, tenantId, presentationId);
      if (!isOpen(locked)) throw new NotFound();
      await this.holdCredential(tx, presented);
      await this.giving.give(tx, locked, { ...answer, method: 'credential' });
    });
    this.giving.countDebit();
    return { returnUrl: row.return_url };
  }

  /** Nobody erases or recovers the wallet until the commit, and the credential has not been revoked meanwhile. */
  private async holdCredential(tx: Tx, presented: PresentedCredential): Promise<void> {
    await holdWallet(tx, presented.walletId, new Date());
    if (!(await this.responses.isValid(tx, presented)))
      throw new UnprocessableEntity('The presentation is not accepted: it was revoked.', { reason: 'revoked' });
  }

  private async open({ tenantId, presentationId }: AppRequestBearer): Promise<Presentation & { app_request: string }> {
    const row = await this.database.tenant(tenantId, (tx) => presentationRow(tx, tenantId, presentationId));
    if (!isOpen(row) || row.app_request === null) throw new NotFound();
    return { ...row, app_request: row.app_request };
  }
}
