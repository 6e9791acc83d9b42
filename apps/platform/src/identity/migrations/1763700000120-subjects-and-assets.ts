import { appendOnly, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ASSET_FUNCTION_NAMES, ASSET_FUNCTIONS, ASSET_GRANTS } from './1763700000120-asset-functions.ts';

/**
 * A tenant's customer. Nothing personal is in the clear: `sealed` holds document number, name, birth date, e-mail and phone under the
 * subject's own data key; `wrapped_key` is that key, wrapped by KMS for `tenant|subject`. Erasure empties both, and nothing opens
 * what was sealed. document_number_hmac: keyed, so that nobody without the service's secret can try numbers out.
 */
const SUBJECT = `
  create table identity.subject (
    id uuid primary key,
    tenant_id uuid not null,
    external_ref text,
    kyc_status text not null default 'pending'
      check (kyc_status in ('pending', 'in_progress', 'manual_review', 'approved', 'rejected')),
    document_type text not null,
    document_country text not null,
    document_number_hmac bytea check (octet_length(document_number_hmac) = 32),
    wrapped_key bytea,
    sealed bytea,
    restrictive_list_hits text[] not null default '{}',
    verified_at timestamptz(3),
    decided_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    erased_at timestamptz(3),
    legal_hold_until timestamptz(3),
    constraint subject_external_ref unique (tenant_id, external_ref),
    check ((wrapped_key is null) = (sealed is null)),
    check (wrapped_key is not null or erased_at is not null),
    check (legal_hold_until is null or erased_at is not null)
  );
  create index subject_newest on identity.subject (tenant_id, id desc);
  create index subject_hold_over on identity.subject (legal_hold_until) where legal_hold_until is not null`;

/**
 * A picture of a subject: awaiting (presigned, expires_at is when that ends) → stored → deleting → deleted. Its bytes are at
 * subjects/<tenant>/<subject>/<asset>.v<version>, encrypted. version counts the uploads that were begun; claim_until: one is being
 * received. direct: uploaded to the object store itself, looked at when first used or when its address expires; swept_at: what was
 * left at that address is gone. lease_until: a sweep is at work on it.
 */
const ASSET = `
  create table identity.asset (
    id uuid primary key,
    tenant_id uuid not null,
    subject_id uuid not null references identity.subject,
    kind text not null check (kind in ('doc_front', 'doc_back', 'selfie', 'liveness_frame')),
    status text not null default 'awaiting' check (status in ('awaiting', 'stored', 'deleting', 'deleted')),
    direct boolean not null default false,
    declared_type text,
    declared_bytes int,
    version int not null default 0,
    claim_until timestamptz,
    lease_until timestamptz,
    swept_at timestamptz,
    sha256 bytea check (octet_length(sha256) = 32),
    bytes int,
    content_type text,
    width int,
    height int,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    stored_at timestamptz(3),
    delete_reason text check (delete_reason in ('unused', 'refused', 'retention', 'erasure')),
    deleted_at timestamptz(3),
    check (status <> 'stored' or (sha256 is not null and stored_at is not null and version > 0)),
    check ((status in ('deleting', 'deleted')) = (delete_reason is not null))
  );
  create index asset_subject on identity.asset (subject_id, id);
  create index asset_awaiting on identity.asset (expires_at) where status = 'awaiting';
  create index asset_unswept on identity.asset (expires_at) where direct and swept_at is null;
  create index asset_stored on identity.asset (tenant_id, stored_at) where status = 'stored';
  create index asset_deleting on identity.asset (lease_until nulls first) where status = 'deleting'`;

/**
 * What a subject agreed to: which text (version, SHA-256, language), for which purposes, whether expressly to sensitive data, and when.
 * sealed_origin: IP address and user agent, under the subject's data key. Append-only; it outlives erasure, its origin does not.
 */
const CONSENT_EVIDENCE = `
  create table identity.consent_evidence (
    id uuid primary key,
    tenant_id uuid not null,
    session_id uuid not null,
    subject_id uuid not null references identity.subject,
    locale text not null,
    text_version text not null,
    text_sha256 bytea not null check (octet_length(text_sha256) = 32),
    purposes text[] not null check (cardinality(purposes) > 0),
    sensitive_data boolean not null,
    sealed_origin bytea not null,
    given_at timestamptz(3) not null default now()
  );
  create index consent_evidence_subject on identity.consent_evidence (subject_id, id)`;

/** How long a tenant keeps what. No row: the defaults of identity-settings.ts, which the sweeps' functions are given. */
const SETTINGS = `
  create table identity.tenant_settings (
    tenant_id uuid primary key,
    image_retention_days int not null check (image_retention_days between 1 and 3650),
    session_retention_days int not null check (session_retention_days between 1 and 3650),
    legal_hold_days int not null check (legal_hold_days between 0 and 3650),
    updated_at timestamptz(3) not null default now()
  )`;

/** Proof of an erasure: one per subject. legal_hold_until: when the rest goes. assets: pictures that were removed. */
const ERASURE_RECEIPT = `
  create table identity.erasure_receipt (
    id uuid primary key,
    tenant_id uuid not null,
    subject_id uuid not null references identity.subject,
    erased_at timestamptz(3) not null,
    legal_hold boolean not null,
    legal_hold_until timestamptz(3),
    assets int not null,
    constraint erasure_receipt_subject unique (subject_id)
  )`;

/** What a session held of its subject is gone: the retention of sessions was applied. */
const FORGOTTEN_SESSIONS = `
  alter table identity.flow_session add column forgotten_at timestamptz(3);
  create index flow_session_to_forget on identity.flow_session (completed_at)
    where completed_at is not null and forgotten_at is null`;

export class SubjectsAndAssets1763700000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      SUBJECT,
      ASSET,
      CONSENT_EVIDENCE,
      SETTINGS,
      ERASURE_RECEIPT,
      FORGOTTEN_SESSIONS,
      tenantTable('identity', 'subject'),
      tenantTable('identity', 'asset'),
      tenantTable('identity', 'consent_evidence', ['select', 'insert']),
      tenantTable('identity', 'tenant_settings'),
      tenantTable('identity', 'erasure_receipt', ['select', 'insert']),
      appendOnly('identity', 'consent_evidence'),
      ...ASSET_FUNCTIONS,
      ASSET_GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function ${ASSET_FUNCTION_NAMES}`);
    await runner.query(`alter table identity.flow_session drop column forgotten_at`);
    await runner.query(`drop table identity.erasure_receipt, identity.tenant_settings, identity.consent_evidence,
      identity.asset, identity.subject`);
    await runner.query(`drop function identity.keep_consent_evidence`);
  }
}
