import { walletTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A picture of the person's face that a wallet keeps for its recovery (ADR 0209): one, of the last verification that compared a face. */
export class IdentityWalletFaces1764000005010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [FACE, walletTable('identity', 'wallet_face', ['select', 'insert', 'update', 'delete'])])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const FACE = `
  create table identity.wallet_face (
    wallet_id uuid primary key references identity.wallet,
    verification_id uuid not null references identity.wallet_verification on delete cascade,
    sealed bytea not null check (octet_length(sealed) <= 2097152),
    kept_at timestamptz(3) not null default now()
  );
  create index wallet_face_verification on identity.wallet_face (verification_id)`;
