import { allowChainTypes, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TRAIL } from '../sessions/session-chain.ts';

/**
 * One session per check of a signer's identity, however often the signing module asks for it; none for a check that was cancelled before it
 * was opened.
 */
const SIGNER_CHECK = `
  create table identity.signer_check (
    id uuid not null,
    tenant_id uuid not null,
    session_id uuid unique references identity.flow_session on delete cascade,
    capture_sealed bytea,
    created_at timestamptz(3) not null default now(),
    primary key (tenant_id, id)
  )`;

/** A person who cannot go on needs no address any more: also where the signing module never asked again, because the check was replaced. */
const FORGET_ADDRESS = `
  create function identity.forget_signer_address() returns trigger
  language plpgsql security definer set search_path = identity, pg_temp as $$
  begin
    update signer_check set capture_sealed = null where session_id = new.id and capture_sealed is not null;
    return null;
  end $$;
  revoke all on function identity.forget_signer_address from public;
  create trigger forget_signer_address after update of status on identity.flow_session
  for each row when (old.status = 'in_progress' and new.status <> 'in_progress') execute function identity.forget_signer_address()`;

export class IdentitySignerChecks1764000004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SIGNER_CHECK);
    await runner.query(tenantTable('identity', 'signer_check'));
    await runner.query(FORGET_ADDRESS);
    await runner.query(allowChainTypes(TRAIL, { types: ['cancelled'] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger forget_signer_address on identity.flow_session');
    await runner.query('drop function identity.forget_signer_address');
    await runner.query('drop table identity.signer_check');
  }
}
