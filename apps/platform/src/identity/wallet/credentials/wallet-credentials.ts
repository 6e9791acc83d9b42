import { type PersonPrincipal, pathUuid } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { STATUS } from '@constancia/status-list';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { IdentityDatabase } from '../../identity-database.ts';
import { lockOwnWallet } from '../sessions/lock-own-wallet.ts';
import { endCredentials } from './end-credentials.ts';
import { WalletCredential } from './wallet-credential.entity.ts';

/** The credentials that a person has had issued. */
@Injectable()
export class WalletCredentials {
  constructor(private readonly database: IdentityDatabase) {}

  /** A page, and one more; newest first. */
  list(walletId: string, before: string | null, limit: number): Promise<WalletCredential[]> {
    return this.database.wallet(walletId, (tx) =>
      tx.manager.find(WalletCredential, {
        where: { wallet_id: walletId, ...(before !== null && { id: LessThan(before) }) },
        order: { id: 'desc' },
        take: limit + 1,
      }),
    );
  }

  /** Throws NotFound. */
  async find(walletId: string, publicId: string): Promise<WalletCredential> {
    const id = pathUuid('wcr', publicId);
    const row = await this.database.wallet(walletId, (tx) =>
      tx.manager.findOneBy(WalletCredential, { id, wallet_id: walletId }),
    );
    if (row === null) throw new NotFound();
    return row;
  }

  /** Revokes every copy. Again changes nothing. Throws NotFound. */
  async revoke(person: PersonPrincipal, publicId: string): Promise<void> {
    const { walletId } = person;
    const { id } = await this.find(walletId, publicId);
    await this.database.wallet(walletId, async (tx) => {
      await lockOwnWallet(tx, person); // an app that presents it holds the wallet until its answer counts
      await endCredentials(tx, { wallet_id: walletId, id }, STATUS.revoked);
    });
  }
}
