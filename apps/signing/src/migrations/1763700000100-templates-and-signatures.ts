import { chargedWorkSchema } from '@constancia/credit-ledger';
import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TEMPLATE = `
  create table signing.template (
    id uuid primary key,
    tenant_id uuid not null,
    code text not null,
    name text not null,
    version integer not null default 1,
    sha256 bytea not null,
    size_bytes integer not null,
    storage_key text not null,
    page_count integer,
    placeholders jsonb not null default '[]',
    warnings jsonb not null default '[]',
    created_at timestamptz not null default now(),
    constraint template_code_key unique (tenant_id, code),
    constraint template_sha256_length check (octet_length(sha256) = 32)
  )`;

/**
 * No foreign key to template: templates are never changed or deleted, and a busy template's row would be share-locked by
 * every request that is accepted.
 */
const SIGNATURE_REQUEST = `
  create table signing.signature_request (
    id uuid primary key,
    tenant_id uuid not null,
    template_id uuid not null,
    subject_ref text not null,
    merge_data jsonb not null default '{}',
    status text not null default 'pending',
    credits_debited integer not null,
    credits_refunded integer not null default 0,
    failure_code text,
    failure_reason text,
    document_sha256 bytea,
    document_key text,
    document_size integer,
    kms_key_arn text,
    signature bytea,
    signature_algorithm text,
    signed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    attempts integer not null default 0,
    faults integer not null default 0,
    strandings integer not null default 0,
    retry_at timestamptz not null default now(),
    lease_token uuid,
    lease_until timestamptz,
    traceparent text,
    constraint signature_request_status check (status in ('pending', 'signed', 'failed')),
    constraint signature_request_signed_is_whole check (
      status <> 'signed'
      or num_nulls(document_sha256, document_key, document_size, kms_key_arn, signature, signature_algorithm, signed_at) = 0
    ),
    constraint signature_request_failed_has_reason check (
      status <> 'failed' or num_nulls(failure_code, failure_reason) = 0
    )
  )`;

const SIGNATURE_REQUEST_INDEXES = [
  `create index signature_request_due on signing.signature_request (retry_at) where status = 'pending'`,
  // Keyset lists, newest first. A signed request is the rule, so that filter reads the first index and skips the others.
  `create index signature_request_list on signing.signature_request (tenant_id, id)`,
  `create index signature_request_pending on signing.signature_request (tenant_id, id) where status = 'pending'`,
  `create index signature_request_failed on signing.signature_request (tenant_id, id) where status = 'failed'`,
  `create index signature_request_template on signing.signature_request (tenant_id, template_id, id)`,
  `create index signature_request_subject on signing.signature_request (tenant_id, subject_ref, id)`,
];

/** Public data (public keys and their certificates), the same for every tenant: no row-level security. The sealing run registers what it signs with. */
const SIGNING_KEY = `
  create table signing.signing_key (
    fingerprint bytea primary key,
    key_arn text not null,
    algorithm text not null,
    public_key_pem text not null,
    created_at timestamptz not null default now(),
    status text not null default 'active',
    certificate_der bytea,
    certificate_chain_der bytea[] not null default '{}',
    constraint signing_key_status check (status in ('active', 'retired')),
    constraint signing_key_fingerprint_length check (octet_length(fingerprint) = 32)
  )`;

/**
 * Signature requests by tenant and id, many in one round trip: everyone polls them, so the process asks for all that wait at
 * the moment. A row is found only with its own tenant beside it, and by its key whatever the statistics say.
 */
const FIND_SIGNATURES = `
  create function signing.find_signatures(p_tenant_ids uuid[], p_ids uuid[])
  returns setof signing.signature_request
  language sql stable security definer set search_path = signing, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
    select r.* from unnest(p_tenant_ids, p_ids) as wanted(tenant_id, id)
      join signing.signature_request r on r.id = wanted.id and r.tenant_id = wanted.tenant_id
  $$`;

export class TemplatesAndSignatures1763700000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      TEMPLATE,
      tenantTable('signing', 'template'),
      SIGNATURE_REQUEST,
      ...SIGNATURE_REQUEST_INDEXES,
      tenantTable('signing', 'signature_request'),
      SIGNING_KEY,
      `create index signing_key_arn on signing.signing_key (key_arn)`,
      `grant select on signing.signing_key, signing.migration to signing_app`,
      chargedWorkSchema('signing'),
      FIND_SIGNATURES,
      `revoke all on function signing.find_signatures from public`,
      `grant execute on function signing.find_signatures to signing_app`,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function signing.find_signatures, signing.commit_work, signing.purge_idempotency_keys`);
    await runner.query(
      `drop table signing.idempotency_key, signing.signing_key, signing.signature_request, signing.template`,
    );
  }
}
