import type { PersonLocale } from '@constancia/contracts';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { WalletKeys } from './wallet-keys.ts';
import { CONTACT, openOfWallet, type WalletContact } from './wallet-records.ts';
import { Wallet } from './wallet.entity.ts';

/** The registered contacts of wallets. */
@Injectable()
export class WalletContacts {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: WalletKeys,
  ) {}

  /** Null: the wallet was erased. */
  async of(walletId: string): Promise<(WalletContact & { locale: PersonLocale }) | null> {
    const row = await this.database.wallet(walletId, (tx) => tx.manager.findOneBy(Wallet, { wallet_id: walletId }));
    if (!row?.wrapped_key || !row.sealed) return null;
    const key = await this.keys.unwrap(walletId, row.wrapped_key);
    return { ...openOfWallet<WalletContact>(key, walletId, CONTACT, row.sealed), locale: row.locale };
  }
}
