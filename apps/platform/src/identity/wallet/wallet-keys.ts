import { WALLET_ERASED, walletKeyContext } from '@constancia/contracts';
import { CachedDataKeys, type DataKey, DataKeys } from '@constancia/kms';
import type { Tx } from '@constancia/persistence';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { keyServiceUnavailable } from '../key-service.ts';

/**
 * The data key of each wallet, kept only as KMS wrapped it, in the wallet's row: anyone who opens a record reads the row first, so that a
 * destroyed key opens nothing. The unwrapped key is in memory for a minute, and dropped when the erasure is announced.
 */
@Injectable()
export class WalletKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly cached: CachedDataKeys;
  private listening: { close(): Promise<void> } | undefined;

  constructor(
    private readonly database: IdentityDatabase,
    private readonly dataKeys: DataKeys,
  ) {
    this.cached = new CachedDataKeys(dataKeys);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.listening = await this.database.listen(WALLET_ERASED, (walletId) => this.cached.forget(walletId));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listening?.close();
    this.cached.clear();
  }

  /** Throws DependencyUnavailable while KMS is unavailable; so does `unwrap`. */
  create(walletId: string): Promise<DataKey> {
    return this.dataKeys.generate(walletKeyContext(walletId)).catch(keyServiceUnavailable);
  }

  unwrap(walletId: string, wrapped: Buffer): Promise<Buffer> {
    return this.cached.unwrap(walletId, wrapped, walletKeyContext(walletId)).catch(keyServiceUnavailable);
  }

  /** The key is destroyed in the transaction: informs every process once that is committed. */
  async destroyed(tx: Tx, walletId: string): Promise<void> {
    await tx.query('select pg_notify($1, $2)', [WALLET_ERASED, walletId]);
    this.cached.forget(walletId);
  }
}
