import { ownersTable, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sealed statements of months that are over, and the keys that sealed them. */
export class SealedStatements1764000003120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [DOCUMENTS, KEYS, FUNCTIONS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Written once, never changed. */
const DOCUMENTS = `
  create table platform.statement_document (
    tenant_id uuid not null references platform.tenant,
    month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
    locale text not null check (locale in ('es-CO', 'en')),
    pdf bytea not null,
    sha256 bytea not null check (octet_length(sha256) = 32),
    sealed_at timestamptz not null,
    primary key (tenant_id, month, locale)
  );
  ${tenantTable('platform', 'statement_document', ['select', 'insert'])}`;

const KEYS = `
  create table platform.statement_key (
    fingerprint bytea primary key check (octet_length(fingerprint) = 32),
    key_arn text not null,
    public_key_pem text not null,
    certificate_der bytea not null,
    created_at timestamptz not null default now()
  );
  ${ownersTable('platform', 'statement_key')}`;

/** Nobody's data: every process reads all of it, and adds the key that it seals with. The certificate that came first stays. */
const FUNCTIONS = `
  create function platform.statement_keys() returns setof platform.statement_key
  language sql stable security definer set search_path = platform, pg_temp as $$
    select * from statement_key order by created_at desc limit 1000
  $$;

  create function platform.keep_statement_key(p_fingerprint bytea, p_key_arn text, p_public_key_pem text, p_certificate_der bytea)
  returns bytea language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    insert into statement_key (fingerprint, key_arn, public_key_pem, certificate_der)
    values (p_fingerprint, p_key_arn, p_public_key_pem, p_certificate_der)
    on conflict do nothing;
    return (select k.certificate_der from statement_key k where k.fingerprint = p_fingerprint);
  end $$;

  revoke all on function platform.statement_keys, platform.keep_statement_key from public;
  grant execute on function platform.statement_keys, platform.keep_statement_key to platform_app;`;
