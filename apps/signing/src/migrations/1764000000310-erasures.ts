import { allowCommit } from '@constancia/credit-ledger';
import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Receipts of erasures. signer_ids: the signers that had the person's address when it was asked for; erased, kept: closed lists of words;
 * settled_at: null while a document of the person is being sealed.
 */
export class Erasures1764000000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      RECEIPT,
      PERSON_SALT,
      INDEXES,
      tenantTable('signing', 'erasure_receipt'),
      UNSETTLED,
      GRANTS,
    ]) {
      await runner.query(statement);
    }
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const RECEIPT = `
  create table signing.erasure_receipt (
    id uuid primary key,
    tenant_id uuid not null,
    subject_refs text[] not null,
    signer_ids uuid[] not null,
    actor text not null,
    erased_at timestamptz not null default now(),
    erased text[] not null default '{}',
    kept text[] not null default '{}',
    settled_at timestamptz
  )`;

/** Of what the trail says instead of the signer's address and name: without it that says nothing. */
const PERSON_SALT = `
  alter table signing.envelope_signer add column person_salt bytea;
  ${allowCommit('signing', { tables: { envelope_signer: ['person_salt'] } })}`;

const INDEXES = `
  create index erasure_receipt_of_refs on signing.erasure_receipt using gin (subject_refs);
  create index erasure_receipt_unsettled on signing.erasure_receipt (erased_at) where settled_at is null;
  create index envelope_signer_address on signing.envelope_signer (tenant_id, lower(email))`;

/** Receipts of any tenant that still wait for a seal, the oldest first. */
const UNSETTLED = `
  create function signing.unsettled_erasures(p_limit integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select r.tenant_id, r.id from erasure_receipt r where r.settled_at is null order by r.erased_at limit p_limit
  $$`;

const GRANTS = `
  revoke all on function signing.unsettled_erasures from public;
  grant execute on function signing.unsettled_erasures to signing_app`;
