import { createHash } from 'node:crypto';
import { generateCheckedToken, hashSecret } from '@constancia/auth';
import { overOwnLimit, type PersonPrincipal } from '@constancia/http';
import { type OneTimeCodes, uuidv7 } from '@constancia/kernel';
import { OAuthRefused } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { CODE_MINUTES, credentialCodes } from '../wallet-codes.ts';
import { lockOwnWallet } from '../sessions/lock-own-wallet.ts';
import { WalletMails } from '../wallet-mails.ts';
import { CredentialOffer } from '../credentials/credential-offer.entity.ts';

const OFFER_PREFIX = 'wof_';
/** Of access tokens. */
export const ACCESS_PREFIX = 'wat_';
export const ACCESS_SECONDS = 300;
const OFFERS_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

export interface Grant {
  offerId: string;
  walletId: string;
}

/** The code of an offer follows from the token in its address: neither is stored, only their hashes. */
const preAuthorizedCode = (token: string): string =>
  createHash('sha256').update(`pre-authorized_code:${token}`).digest('base64url');

/** Offers to have a credential issued to a device (OpenID4VCI, pre-authorized code flow). */
@Injectable()
export class CredentialOffers {
  private readonly codes: OneTimeCodes;
  private readonly redeemed;

  constructor(
    config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly mails: WalletMails,
    metrics: Metrics,
  ) {
    this.codes = credentialCodes(config);
    const help = 'Attempts to redeem the code of a credential offer';
    this.redeemed = metrics.counter('credential_offers_redeemed_total', help, ['outcome']);
  }

  /** Makes an offer, which takes the place of an earlier one, and has its second code mailed. Throws Unauthorized, RateLimitExceeded. */
  async create(person: PersonPrincipal): Promise<{ token: string; expiresAt: Date }> {
    const { walletId } = person;
    const { plaintext: token, hash } = generateCheckedToken(OFFER_PREFIX);
    const expiresAt = new Date(Date.now() + CODE_MINUTES * 60_000);
    await this.database.wallet(walletId, async (tx) => {
      await lockOwnWallet(tx, person);
      const recent = { wallet_id: walletId, created_at: MoreThan(new Date(Date.now() - HOUR_MS)) };
      const offers = await tx.manager.find(CredentialOffer, { where: recent, order: { created_at: 'asc' } });
      if (offers.length >= OFFERS_PER_HOUR) throw tooMany(offers);
      const now = new Date();
      const earlier = { wallet_id: walletId, redeemed_at: IsNull(), expires_at: MoreThan(now) };
      await tx.manager.update(CredentialOffer, earlier, { expires_at: now });
      const id = uuidv7();
      await tx.manager.insert(CredentialOffer, {
        ...{ id, wallet_id: walletId, offer_hash: hash, code_hash: hashSecret(preAuthorizedCode(token)) },
        expires_at: expiresAt,
      });
      await tx.query('select identity.add_credential_code_mail($1, $2)', [id, walletId]);
    });
    this.mails.wake();
    return { token, expiresAt };
  }

  /** The code of an offer that can be redeemed; null for any other text. */
  async codeOf(token: string): Promise<string | null> {
    const sql = 'select identity.credential_offer_is_open($1) as open';
    const [row] = await this.database.query<{ open: boolean }>(sql, [hashSecret(token)]);
    return row?.open ? preAuthorizedCode(token) : null;
  }

  /** Exchanges a code for an access token, once. Throws OAuthRefused: it says the same of a wrong, an expired and a used code. */
  async redeem(code: string, txCode: string): Promise<string> {
    const codeHash = hashSecret(code);
    const { plaintext, hash } = generateCheckedToken(ACCESS_PREFIX);
    const [row] = await this.database.query<{ outcome: 'ok' | 'invalid' | 'wrong_code' }>(
      'select identity.redeem_credential_offer($1, $2, $3, $4) as outcome',
      [codeHash, this.codes.hashesOf(codeHash.toString('hex'), txCode), hash, ACCESS_SECONDS],
    );
    const outcome = row?.outcome ?? 'invalid';
    this.redeemed.inc({ outcome });
    if (outcome !== 'ok') throw new OAuthRefused('invalid_grant', 'A code is wrong, has expired or was used.');
    return plaintext;
  }

  /** What an access token is for; null when it is none, has expired or was used. */
  async grantOf(accessToken: string): Promise<Grant | null> {
    const [row] = await this.database.query<{ offer_id: string; wallet_id: string }>(
      'select * from identity.credential_grant($1)',
      [hashSecret(accessToken)],
    );
    return row ? { offerId: row.offer_id, walletId: row.wallet_id } : null;
  }
}

function tooMany(offers: readonly CredentialOffer[]) {
  const first = offers[0] as CredentialOffer;
  return overOwnLimit({
    name: 'credential-offers-hour',
    limit: OFFERS_PER_HOUR,
    windowSeconds: HOUR_MS / 1_000,
    until: new Date(first.created_at.getTime() + HOUR_MS),
    detail: 'Ten credentials an hour can be offered',
  });
}
