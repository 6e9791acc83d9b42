import { uuidOf } from '@constancia/kernel';
import { Unauthorized } from '@constancia/problem-json';
import type { Account, Client, Context, IssuedToken, RequestedClaims } from 'oidc-provider';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { IdentityDatabase } from '../../identity-database.ts';
import { type KeptWallet, Wallets } from '../../wallet/me/wallets.ts';
import { WalletIndex } from '../../wallet/wallet-index.ts';
import { Wallet } from '../../wallet/wallet.entity.ts';
import { storeUnavailable } from '../store/oidc-records.ts';
import { Releases } from './releases.ts';
import { verifiedClaims, type VerifiedClaimsRequest } from './verified-claims.ts';

/** The client's id as a UUID. */
export const clientUuid = ({ clientId }: Pick<Client, 'clientId'>): string => uuidOf('oic', clientId) as string;

/** The persons of wallets, as the provider knows them: an account is a wallet. */
@Injectable()
export class Accounts {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly wallets: Wallets,
    private readonly releases: Releases,
    private readonly index: WalletIndex,
  ) {}

  /**
   * Undefined once the wallet is erased, or was recovered or lost a passkey after the person signed in: everything that was issued for it stops
   * working.
   */
  async find(context: Context, walletId: string, token?: IssuedToken): Promise<Account | undefined> {
    const signedInAt = token?.authTime ?? token?.iat ?? context.oidc.session?.loginTs;
    if (!(await this.isSignedIn(walletId, signedInAt).catch(storeUnavailable))) return undefined;
    return {
      accountId: walletId,
      claims: async (use, scope, requested) => {
        const scopes = use === 'userinfo' ? scope.split(' ') : [];
        const given = this.claims(context.oidc, walletId, scopes, requested);
        return { sub: walletId, ...(await given.catch(storeUnavailable)) };
      },
    };
  }

  /** What the clients of a tenant call the person: the same for all of them, and another one for another tenant. */
  async subject(walletId: string, { tenant_id: tenantId }: Pick<Client, 'tenant_id'>): Promise<string> {
    const subject = await this.index.pairwise('subject', tenantId, walletId).catch(storeUnavailable);
    return subject.toString('base64url');
  }

  /** Whether a sign-in at this time, in seconds, counts. */
  async isSignedIn(walletId: string, atSeconds: number | undefined): Promise<boolean> {
    const row = await this.database.wallet(walletId, (tx) =>
      tx.manager.findOneBy(Wallet, { wallet_id: walletId, erased_at: IsNull() }),
    );
    if (row === null) return false;
    return row.signed_out_at === null || (atSeconds !== undefined && atSeconds * 1_000 >= row.signed_out_at.getTime());
  }

  private async claims(
    { client, grant }: Context['oidc'],
    walletId: string,
    scopes: string[],
    requested: RequestedClaims,
  ) {
    const verified = requested.verified_claims !== undefined || scopes.includes('kyc');
    const plain = ['name', 'birthdate', 'email', 'email_verified'].some((name) => Object.hasOwn(requested, name));
    if (!verified && !plain && !scopes.includes('profile') && !scopes.includes('email')) return {};
    const wallet = await this.wallets.openKept(walletId).catch((error: unknown) => {
      if (error instanceof Unauthorized) return null; // erased just now
      throw error;
    });
    if (wallet === null) return {};
    const latest = wallet.verifications[0];
    const kept = latest === undefined ? undefined : wallet.kept(latest);
    return {
      ...(kept?.full_name && { name: kept.full_name }),
      ...(kept?.birth_date && { birthdate: kept.birth_date }),
      email: wallet.contact.email,
      email_verified: true,
      ...(verified && (await this.released(client, grant?.jti, wallet, requested.verified_claims))),
    };
  }

  private async released(
    { tenant_id: tenantId }: Client,
    grantId: string | undefined,
    wallet: KeptWallet,
    request: unknown,
  ) {
    const id = grantId === undefined ? null : await this.releases.ofGrant(tenantId, grantId);
    const row = wallet.verifications.find((verification) => verification.id === id);
    if (row === undefined) return {};
    const process = (await this.index.pairwise('verification', tenantId, row.id)).toString('base64url');
    const verification = { kept: wallet.kept(row), level: row.level, verifiedAt: row.verified_at, process };
    const claims = verifiedClaims(verification, (request ?? null) as VerifiedClaimsRequest);
    return claims === null ? {} : { verified_claims: claims };
  }
}
