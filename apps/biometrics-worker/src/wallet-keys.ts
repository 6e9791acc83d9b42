import { WALLET_ERASED } from '@constancia/contracts';
import { CachedDataKeys, DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

/** The data keys of wallets, forgotten when a wallet is erased. */
@Injectable()
export class WalletKeys extends CachedDataKeys implements OnModuleInit, OnApplicationShutdown {
  private erasures: { close(): Promise<void> } | undefined;

  constructor(
    dataKeys: DataKeys,
    private readonly database: Database,
  ) {
    super(dataKeys);
  }

  async onModuleInit(): Promise<void> {
    this.erasures = await this.database.listen(WALLET_ERASED, (walletId) => this.forget(walletId));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.erasures?.close();
    this.clear();
  }
}
