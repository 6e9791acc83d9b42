import { walletTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  CHECKS,
  ENDS,
  EVIDENCE,
  GRANTS,
  MAIL,
  PICTURE,
  RECOVERY,
  START,
  SWEEP,
} from './1764000005020-wallet-recoveries.sql.ts';

/** Recoveries of wallets (ADR 0210). */
export class IdentityWalletRecoveries1764000005020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      RECOVERY,
      walletTable('identity', 'wallet_recovery', ['select', 'delete']),
      PICTURE,
      walletTable('identity', 'wallet_recovery_picture', ['select']),
      MAIL,
      START,
      EVIDENCE,
      CHECKS,
      ENDS,
      SWEEP,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
