import { uuidOf } from '@constancia/kernel';
import { Unauthorized } from '@constancia/problem-json';
import type { Account, Client, Context, RequestedClaims } from 'oidc-provider';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { IdentityDatabase } from '../../identity-database.ts';
import { type OpenedWallet, Wallets } from '../../wallet/me/wallets.ts';
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

  /** Undefined once the wallet is erased: everything that was issued for it stops working. */
  async find(context: Context, walletId: string): Promise<Account | undefined> {
    const known = await this.database
      .wallet(walletId, (tx) => tx.manager.existsBy(Wallet, { wallet_id: walletId, erased_at: IsNull() }))
      .catch(storeUnavailable);
    if (!known) return undefined;
    return {
      accountId: walletId,
      claims: async (use, scope, requested) => {
        const scopes = use === 'userinfo' ? scope.split(' ') : [];
        return { sub: walletId, ...(await this.claims(context.oidc.client, walletId, scopes, requested)) };
      },
    };
  }

  /** What the clients of a tenant call the person: the same for all of them, and another one for another tenant. */
  async subject(walletId: string, { tenant_id: tenantId }: Client): Promise<string> {
    return (await this.index.pairwise('subject', tenantId, walletId)).toString('base64url');
  }

  private async claims(client: Client, walletId: string, scopes: string[], requested: RequestedClaims) {
    const verified = requested.verified_claims !== undefined || scopes.includes('kyc');
    const plain = ['name', 'birthdate', 'email', 'email_verified'].some((name) => Object.hasOwn(requested, name));
    if (!verified && !plain && !scopes.includes('profile') && !scopes.includes('email')) return {};
    const wallet = await this.wallets.open(walletId).catch((error: unknown) => {
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
      ...(verified && (await this.released(client, walletId, wallet, requested.verified_claims))),
    };
  }

  private async released(client: Client, walletId: string, wallet: OpenedWallet, request: unknown) {
    const { tenant_id: tenantId } = client;
    const id = await this.releases.latest({ tenantId, clientId: clientUuid(client), walletId });
    const row = wallet.verifications.find((verification) => verification.id === id);
    if (row === undefined) return {};
    const process = (await this.index.pairwise('verification', tenantId, row.id)).toString('base64url');
    const verification = { kept: wallet.kept(row), level: row.level, verifiedAt: row.verified_at, process };
    const claims = verifiedClaims(verification, (request ?? null) as VerifiedClaimsRequest);
    return claims === null ? {} : { verified_claims: claims };
  }
}
