import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One session per check of a signer's identity, however often the signing module asks for it. */
const SIGNER_CHECK = `
  create table identity.signer_check (
    id uuid not null,
    tenant_id uuid not null,
    session_id uuid not null unique references identity.flow_session on delete cascade,
    capture_sealed bytea,
    created_at timestamptz(3) not null default now(),
    primary key (tenant_id, id)
  )`;

export class IdentitySignerChecks1764000004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SIGNER_CHECK);
    await runner.query(tenantTable('identity', 'signer_check'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table identity.signer_check');
  }
}
