import { OAuthRefused } from '@constancia/problem-json';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { IdentityDatabase } from '../../identity-database.ts';
import { CredentialIssuer, type CredentialRequest } from '../credentials/credential-issuer.ts';
import { Wallets } from '../me/wallets.ts';
import { CredentialNonces } from './credential-nonces.ts';
import { CredentialOffer } from '../credentials/credential-offer.entity.ts';
import type { Grant } from './credential-offers.ts';
import type { ProvedRequest } from './credential-request.ts';

const invalidNonce = () => new OAuthRefused('invalid_nonce', 'The nonce has expired or was used: ask for another one.');

/** Issues what a wallet app has proved to have the keys for: the person's last verification, once for an offer and for a nonce. */
@Injectable()
export class IssueByProofs {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly wallets: Wallets,
    private readonly nonces: CredentialNonces,
    private readonly issuer: CredentialIssuer,
  ) {}

  /** Everything is used up in the transaction that issues: what fails leaves the offer and the nonce as they were. Throws OAuthRefused. */
  async issue(grant: Grant, { holderKeys, nonce }: ProvedRequest): Promise<string[]> {
    const expiresAt = this.nonces.expiryOf(nonce);
    if (expiresAt === null) throw invalidNonce();
    const opened = await this.wallets.open(grant.walletId);
    const [verification] = opened.verifications;
    if (verification === undefined) throw new OAuthRefused('credential_request_denied', 'The wallet holds nothing.');
    const request = { verification, kept: opened.kept(verification), holderKeys };
    const signer = await this.issuer.signer();
    return this.database.wallet(grant.walletId, async (tx) => {
      await this.take(tx, grant, request);
      if (!(await this.nonces.burn(tx, nonce, expiresAt))) throw invalidNonce();
      return this.issuer.issue(tx, request, signer);
    });
  }

  /** Locks: wallet, offer. An erasure, and another verification, wait, or were first. */
  private async take(tx: Tx, { walletId, offerId }: Grant, { verification }: CredentialRequest): Promise<void> {
    const [last] = await tx.query<{ id: string }>(
      `select v.id from identity.wallet w join identity.wallet_verification v on v.wallet_id = w.wallet_id
        where w.wallet_id = $1 and w.erased_at is null order by v.id desc limit 1 for share of w`,
      [walletId],
    );
    const unused = { id: offerId, wallet_id: walletId, used_at: IsNull() };
    const { affected } = await tx.manager.update(CredentialOffer, unused, { used_at: new Date() });
    if (last === undefined || affected !== 1) throw new OAuthRefused('invalid_token', 'The access token was used.');
    if (last.id !== verification.id)
      throw new OAuthRefused('credential_request_denied', 'The person was verified again meanwhile: ask again.');
  }
}
