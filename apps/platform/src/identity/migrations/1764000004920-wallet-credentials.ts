import { walletTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Credentials that were issued to persons (ADR 0206): when, of which verification, and where their statuses stand; never what they say. */
export class IdentityWalletCredentials1764000004920 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      CREDENTIAL,
      walletTable('identity', 'wallet_credential', ['select', 'insert', 'update', 'delete']),
      COPY,
      walletTable('identity', 'wallet_credential_copy', ['select', 'insert', 'delete']),
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** status: 0 valid, 1 revoked, 3 superseded, as in status lists. A verification goes only after its credentials, which are revoked first. */
const CREDENTIAL = `
  create table identity.wallet_credential (
    id uuid primary key,
    wallet_id uuid not null references identity.wallet,
    verification_id uuid not null references identity.wallet_verification,
    copies integer not null check (copies between 1 and 10),
    status smallint not null default 0 check (status in (0, 1, 3)),
    issued_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    ended_at timestamptz(3),
    check ((status = 0) = (ended_at is null))
  );
  create index wallet_credential_of on identity.wallet_credential (wallet_id, id);
  create index wallet_credential_verification on identity.wallet_credential (verification_id);
  create index wallet_credential_expiry on identity.wallet_credential (expires_at)`;

/** The place of each copy: no two copies have one. */
const COPY = `
  create table identity.wallet_credential_copy (
    list_id uuid not null references identity.status_list,
    idx integer not null,
    credential_id uuid not null references identity.wallet_credential on delete cascade,
    wallet_id uuid not null references identity.wallet,
    primary key (list_id, idx)
  );
  create index wallet_credential_copy_of on identity.wallet_credential_copy (credential_id)`;
