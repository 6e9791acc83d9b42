import { createHash } from 'node:crypto';
import type { TenantStanding } from '@constancia/contracts';
import {
  AlsoOnPageHost,
  ApiPublicProblems,
  CurrentPerson,
  pathUuid,
  type PersonPrincipal,
  RequirePerson,
} from '@constancia/http';
import { emitEvent } from '@constancia/events';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { IdentityDatabase } from '../identity-database.ts';
import { WalletConsentView } from '../wallet/me/wallet-views.ts';
import { Wallets } from '../wallet/me/wallets.ts';
import { WalletIndex } from '../wallet/wallet-index.ts';
import type { SharedRecord } from '../wallet/wallet-records.ts';
import { WalletConsentRevocation } from '../wallet/wallet-consent-revocation.entity.ts';
import { revokedEvent, signInRevokedEvent } from './presentation-events.ts';
import { lockPresentation } from '../presentations/presentation-rows.ts';
import { Presentation } from '../presentations/presentation.entity.ts';

/** POST /v1/wallet/me/consents/{id}/revoke: a person withdraws what they agreed to give. */
@Controller('v1/wallet/me/consents')
@ApiTags('Wallet')
@AlsoOnPageHost('person')
@RequirePerson()
export class RevokeConsent {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly wallets: Wallets,
    private readonly index: WalletIndex,
  ) {}

  @Post(':id/revoke')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'revokeWalletConsent',
    summary: 'Withdraw a consent to give something to a company',
    description:
      'Nothing more is given on it. What the company got before stays with it: ask the company. It is notified (event wallet.consent.revoked). Of ' +
      'a consent to a sign-in, the tokens of its application end (event wallet.sign_in.revoked). ' +
      'Withdrawing again changes nothing. A consent to keep a verification ends with the wallet: 409.',
  })
  @ApiParam({ name: 'id', example: 'wco_01jd8m3x5se9t8qzvwpk4c2d6h' })
  @ApiOkResponse({ type: WalletConsentView })
  @ApiPublicProblems('unauthorized', 'not-found', 'state-conflict', 'dependency-unavailable')
  async handle(@CurrentPerson() { walletId }: PersonPrincipal, @Param('id') id: string): Promise<WalletConsentView> {
    const { row, origin, revokedAt: known } = await this.wallets.consent(walletId, pathUuid('wco', id));
    const { shared } = origin;
    if (shared === undefined)
      throw new StateConflict('A consent to keep a verification ends with the wallet: erase it.');
    if (known !== null) return WalletConsentView.of(row, origin, known);
    const { tenant_id: tenantId, presentation_id: presentationId, grant_id: grantId } = shared;
    if (grantId !== undefined) {
      const ended = await this.endGrant({ walletId, consentId: row.id, grantId }, shared);
      return WalletConsentView.of(row, origin, ended);
    }
    if (presentationId === undefined) throw new Error('a consent to share has a request or a grant');
    const revokedAt = await this.database.tenantAndWallet(tenantId, walletId, async (tx) => {
      const presentation = await lockPresentation(tx, tenantId, presentationId).catch(gone);
      if (presentation?.consent_revoked_at) return presentation.consent_revoked_at;
      const now = new Date();
      await tx.manager.insert(WalletConsentRevocation, { consent_id: row.id, wallet_id: walletId, revoked_at: now });
      if (presentation === null || presentation.subject_id === null) return now;
      const mine = { id: presentationId, tenant_id: tenantId };
      await tx.manager.update(Presentation, mine, { consent_revoked_at: now });
      await emitEvent(tx, revokedEvent({ ...presentation, subject_id: presentation.subject_id }, now));
      return now;
    });
    return WalletConsentView.of(row, origin, revokedAt);
  }

  /** The application's tokens stop working with the grant that they belong to; its tenant is notified, once. */
  private async endGrant(
    { walletId, consentId, grantId }: { walletId: string; consentId: string; grantId: string },
    { tenant_id: tenantId, client_id: clientId }: SharedRecord,
  ): Promise<Date> {
    const sub = (await this.index.pairwise('subject', tenantId, walletId)).toString('base64url');
    return this.database.tenantAndWallet(tenantId, walletId, async (tx) => {
      const now = new Date();
      await tx.query('select identity.end_oidc_grant($1)', [createHash('sha256').update(grantId).digest()]);
      const [revoked] = await tx.query<{ standing: TenantStanding | null }>(
        `insert into identity.wallet_consent_revocation (consent_id, wallet_id, revoked_at) values ($1, $2, $3)
         on conflict (consent_id) do nothing returning platform_v1.tenant_standing($4) as standing`,
        [consentId, walletId, now, tenantId],
      );
      const standing = revoked?.standing ?? 'closed'; // withdrawn before, or the tenant is gone
      if (standing !== 'closed' && clientId !== undefined)
        await emitEvent(tx, signInRevokedEvent(tenantId, { clientId, sub, revokedAt: now }));
      return now;
    });
  }
}

/** The tenant was closed, and its rows are gone. */
function gone(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}
