import { archiveSchema } from '@constancia/archives/schema';
import { tenantTable, withoutIdStatistics } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ARCHIVABLE_SCREENINGS, NEXT_ARCHIVE, RECORD_ARCHIVE } from './1764000009410-archived-screenings.sql.ts';

/** Old screenings are kept as files of the object store; what is looked up of them without their files stays here (ADR 0258). */
export class ArchivedScreenings1764000009410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      archiveSchema({ schema: 'compliance', table: 'screening_archive' }),
      INDEX,
      withoutIdStatistics('compliance'),
      ARCHIVABLE_SCREENINGS,
      NEXT_ARCHIVE,
      RECORD_ARCHIVE,
      SCREENING_CONTEXT,
      BLOCK_SUBJECT,
      READS,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** A row for each archived screening. seq: its number among those of the tenant, by which its file is found. */
const INDEX = `
  create table compliance.archived_screening (
    id uuid primary key,
    tenant_id uuid not null,
    seq bigint not null,
    validation_code text not null,
    subject_type text not null,
    subject_ref text not null,
    trigger text not null,
    decision text not null,
    credits_debited integer not null,
    created_at timestamptz not null,
    erasure_id uuid
  );
  create index archived_screening_of_subject on compliance.archived_screening (tenant_id, subject_ref, id);
  create index archived_screening_erased on compliance.archived_screening (erasure_id) where erasure_id is not null;
  ${tenantTable('compliance', 'archived_screening', ['select'])}
  alter policy tenant_rows on compliance.archived_screening
    using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and erasure_id is null)`;

/** As before, with what is archived: rules look as far back as they did. */
const SCREENING_CONTEXT = `
  create or replace function compliance.screening_context(
    p_tenant_id uuid, p_code text, p_subject_type text, p_subject_ref text, p_since uuid
  ) returns jsonb
  language plpgsql stable security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  declare
    published jsonb;
    earlier jsonb;
  begin
    select jsonb_build_object('id', v.id, 'version', v.version) into published
      from validation v where v.tenant_id = p_tenant_id and v.code = p_code and v.status = 'published';
    if p_since is not null and p_subject_ref is not null then
      select coalesce(jsonb_agg(jsonb_build_object('decision', e.decision, 'trigger', e.trigger, 'at', e.created_at) order by e.id), '[]')
        into earlier
        from ((select s.id, s.decision, s.trigger, s.created_at from screening s
                where s.tenant_id = p_tenant_id and s.subject_ref = p_subject_ref and s.subject_type = p_subject_type
                  and s.id >= p_since and s.erasure_id is null
                order by s.id desc limit 1000)
              union all
              (select a.id, a.decision, a.trigger, a.created_at from archived_screening a
                where a.tenant_id = p_tenant_id and a.subject_ref = p_subject_ref and a.subject_type = p_subject_type
                  and a.id >= p_since and a.erasure_id is null
                order by a.id desc limit 1000)
              order by id desc limit 1000) e;
    end if;
    return jsonb_build_object('published', published, 'earlier', earlier);
  end $$`;

/** As before, with what is archived: an erasure blocks it, and keeps its key as long as the law asks for it. */
const BLOCK_SUBJECT = `
  create or replace function compliance.block_subject(p_tenant_id uuid, p_receipt_id uuid, p_refs text[])
  returns table (screenings bigint, cases bigint, monitored bigint, dismissed bigint)
  language plpgsql security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  declare
    v_archived bigint;
  begin
    if p_tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
      raise exception 'the transaction is of another tenant' using errcode = 'insufficient_privilege';
    end if;
    delete from monitored_subject m where m.tenant_id = p_tenant_id and m.subject_ref = any (p_refs);
    get diagnostics monitored = row_count;
    delete from suppressed_hit h where h.tenant_id = p_tenant_id and h.subject_ref = any (p_refs);
    get diagnostics dismissed = row_count;
    update screening s set erasure_id = p_receipt_id
     where s.tenant_id = p_tenant_id and s.subject_ref = any (p_refs) and s.erasure_id is null;
    get diagnostics screenings = row_count;
    update archived_screening a set erasure_id = p_receipt_id
     where a.tenant_id = p_tenant_id and a.subject_ref = any (p_refs) and a.erasure_id is null;
    get diagnostics v_archived = row_count;
    screenings := screenings + v_archived;
    update review_case c set erasure_id = p_receipt_id, name_words = null
     where c.tenant_id = p_tenant_id and c.subject_ref = any (p_refs) and c.erasure_id is null;
    get diagnostics cases = row_count;
    return next;
  end $$`;

/**
 * What receipts block of the archived ones; which of these ids are archived under which number, for verifications, and which of them are
 * blocked; whose screening an id is, for operators.
 */
const READS = `
  create function compliance.blocked_archived_screenings(p_tenant_id uuid, p_receipts uuid[]) returns setof compliance.archived_screening
  language plpgsql stable security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  begin
    if p_tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
      raise exception 'the transaction is of another tenant' using errcode = 'insufficient_privilege';
    end if;
    return query select a.* from archived_screening a
      where a.tenant_id = p_tenant_id and a.erasure_id = any (p_receipts) order by a.id;
  end $$;
  create function compliance.ops_archived_screenings(p_ids uuid[])
  returns table (id uuid, tenant_id uuid, seq bigint, blocked boolean)
  language sql stable security definer set search_path = compliance, pg_temp as $$
    select a.id, a.tenant_id, a.seq, a.erasure_id is not null from archived_screening a where a.id = any (p_ids)
  $$`;

const GRANTS = `
  revoke all on function compliance.archivable_screenings, compliance.next_screening_archive, compliance.record_screening_archive,
    compliance.blocked_archived_screenings, compliance.ops_archived_screenings from public;
  grant execute on function compliance.next_screening_archive, compliance.record_screening_archive,
    compliance.blocked_archived_screenings, compliance.ops_archived_screenings to compliance_app`;
