import { allowChainTypes, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TIMELINE } from '../case-records/case-chains.ts';

/** Files that are attached to cases (ADR 0225). */
export class CaseAttachments1764000005410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      ATTACHMENTS,
      tenantTable('compliance', 'case_attachment', ['select', 'insert']),
      GRANTS,
      allowChainTypes(TIMELINE, { types: ['attached'] }),
      GUARD_TRUTH,
      BLOCKED,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Sealed bytes do not compress: the store does not try. */
const ATTACHMENTS = `
  create table compliance.case_attachment (
    id uuid primary key,
    tenant_id uuid not null,
    case_id uuid not null references compliance.review_case,
    subject_key_id uuid not null,
    media_type text not null,
    size_bytes integer not null,
    sha256 bytea not null,
    sealed_name bytea,
    sealed_bytes bytea,
    attached_by text not null,
    attached_at timestamptz(3) not null default now(),
    erased_at timestamptz(3),
    constraint case_attachment_type check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
    constraint case_attachment_size check (size_bytes between 1 and 10485760),
    constraint case_attachment_sha256 check (length(sha256) = 32),
    constraint case_attachment_erased check (
      (sealed_bytes is null) = (erased_at is not null) and (sealed_name is null) = (erased_at is not null))
  );
  alter table compliance.case_attachment alter column sealed_bytes set storage external;
  create index case_attachment_of on compliance.case_attachment (tenant_id, case_id, id);
  create index case_attachment_key on compliance.case_attachment (tenant_id, subject_key_id)`;

const GRANTS = `grant update (sealed_name, sealed_bytes, erased_at) on compliance.case_attachment to compliance_app`;

/** As before; an attachment that a timeline names is there, with these bytes. */
const GUARD_TRUTH = `
  create or replace function compliance.guard_case_event() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    if new.type = 'sla_breached' and not exists (
      select from review_case c where c.id = new.case_id and c.due_at <= now()) then
      raise exception 'the time of the case is not over' using errcode = 'CN403';
    end if;
    if new.type = 'attached' and not exists (
      select from case_attachment a
       where a.tenant_id = new.tenant_id and a.case_id = new.case_id
         and type_id('caf', a.id) = new.data::jsonb ->> 'attachment_id'
         and encode(a.sha256, 'hex') = new.data::jsonb ->> 'sha256') then
      raise exception 'the case has no such attachment' using errcode = 'CN403';
    end if;
    return new;
  end $$`;

/** Those of the cases that receipts block, without the bytes of any but \`p_id\`. */
const BLOCKED = `
  create function compliance.blocked_attachments(p_tenant_id uuid, p_receipts uuid[], p_id uuid default null)
  returns setof compliance.case_attachment
  language plpgsql security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  begin
    if p_tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
      raise exception 'the transaction is of another tenant' using errcode = 'insufficient_privilege';
    end if;
    return query
      select a.id, a.tenant_id, a.case_id, a.subject_key_id, a.media_type, a.size_bytes, a.sha256, a.sealed_name,
             case when a.id = p_id then a.sealed_bytes end, a.attached_by, a.attached_at, a.erased_at
        from case_attachment a join review_case c on c.id = a.case_id
       where a.tenant_id = p_tenant_id and c.erasure_id = any (p_receipts) and (p_id is null or a.id = p_id)
       order by a.id;
  end $$;
  revoke all on function compliance.blocked_attachments from public;
  grant execute on function compliance.blocked_attachments to compliance_app`;
