import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What cases are found by: words of the subject's name and codes of lists, without a name being opened (ADR 0218). Quick on any size. */
export class CaseSearch1764000005220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMN, TERMS, ATTACH_TO_CASE, BLOCK_SUBJECT, WITHOUT_WORDS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Null: not computed yet, as in rows that the release before writes; the sweep of words does it. */
const COLUMN = `alter table compliance.review_case add column name_words text[]`;

const TERMS_OF = (row: string) =>
  `case when ${row}.erasure_id is null then ${row}.list_hits || ${row}.name_words else '{}' end`;

/** What cases are looked up by: codes of lists, and digests of words. Follows the row whoever writes it, the release before included. */
const TERMS = `
  create table compliance.case_term (
    tenant_id uuid not null,
    term text not null,
    case_id uuid not null references compliance.review_case,
    primary key (tenant_id, term, case_id)
  );
  ${tenantTable('compliance', 'case_term', ['select'])}
  create function compliance.follow_case_terms() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    before text[] := '{}';
    after text[] := ${TERMS_OF('new')};
  begin
    if tg_op = 'UPDATE' then before := ${TERMS_OF('old')}; end if;
    delete from case_term t
     where t.tenant_id = new.tenant_id and t.case_id = new.id and t.term = any (before) and t.term <> all (after);
    insert into case_term (tenant_id, term, case_id)
    select new.tenant_id, unnest(after), new.id on conflict do nothing;
    return null;
  end $$;
  revoke all on function compliance.follow_case_terms from public;
  create trigger follow_case_terms after insert or update of list_hits, name_words, erasure_id on compliance.review_case
    for each row execute function compliance.follow_case_terms()`;

/** As before, with the words of the name, which every screening replaces together with the subject. */
const ATTACH_TO_CASE = `
  create or replace function compliance.attach_to_case(p_tenant_id uuid, p_args jsonb) returns void
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    v_id uuid := (p_args ->> 'case_id')::uuid;
    facts review_case;
  begin
    facts := jsonb_populate_record(null::review_case, p_args -> 'case');
    if (p_args ->> 'opens')::boolean then
      insert into review_case (id, tenant_id, subject_ref, subject_type, validation_code, validation_version, screening_id,
          last_screening_id, request_id, screening_decision, screening_score, rules_fired, list_hits, list_versions, subject,
          hits, priority, opened_at, due_at, subject_key_id, sealed, name_words)
      values (v_id, p_tenant_id, facts.subject_ref, facts.subject_type, facts.validation_code, facts.validation_version,
          facts.screening_id, facts.last_screening_id, facts.request_id, facts.screening_decision, facts.screening_score,
          facts.rules_fired, facts.list_hits, facts.list_versions, facts.subject, facts.hits, facts.priority,
          facts.opened_at, facts.due_at, facts.subject_key_id, facts.sealed, facts.name_words)
      on conflict (tenant_id, subject_ref, subject_type, validation_code) where status <> 'resolved' and erasure_id is null
      do nothing;
    else
      update review_case
         set validation_version = facts.validation_version, last_screening_id = facts.last_screening_id,
             request_id = coalesce(facts.request_id, request_id), screening_decision = facts.screening_decision,
             screening_score = facts.screening_score, rules_fired = facts.rules_fired, list_hits = facts.list_hits,
             list_versions = facts.list_versions, subject = facts.subject, hits = facts.hits,
             priority = facts.priority, due_at = facts.due_at, status = facts.status, proposal = facts.proposal,
             subject_key_id = facts.subject_key_id, sealed = facts.sealed, name_words = facts.name_words,
             decision_reason = case when facts.sealed is null then decision_reason end,
             escalation_reason = case when facts.sealed is null then escalation_reason end,
             ros_draft = case when facts.sealed is null or ros_draft is null then ros_draft else '{}' end
       where id = v_id and tenant_id = p_tenant_id and status <> 'resolved' and erasure_id is null
         and version = (p_args ->> 'expected_version')::integer;
    end if;
    if not found then
      raise exception 'the case is no longer what the screening was decided on' using errcode = 'CN409';
    end if;
    perform append_case_events(p_tenant_id, v_id, p_args -> 'events');
  end $$`;

const TENANT_CHECK = `
    if p_tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
      raise exception 'the transaction is of another tenant' using errcode = 'insufficient_privilege';
    end if;`;

/** As before; a blocked case is in no search: the words of its name go. */
const BLOCK_SUBJECT = `
  create or replace function compliance.block_subject(p_tenant_id uuid, p_receipt_id uuid, p_refs text[])
  returns table (screenings bigint, cases bigint, monitored bigint, dismissed bigint)
  language plpgsql security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  begin ${TENANT_CHECK}
    delete from monitored_subject m where m.tenant_id = p_tenant_id and m.subject_ref = any (p_refs);
    get diagnostics monitored = row_count;
    delete from suppressed_hit h where h.tenant_id = p_tenant_id and h.subject_ref = any (p_refs);
    get diagnostics dismissed = row_count;
    update screening s set erasure_id = p_receipt_id
     where s.tenant_id = p_tenant_id and s.subject_ref = any (p_refs) and s.erasure_id is null;
    get diagnostics screenings = row_count;
    update review_case c set erasure_id = p_receipt_id, name_words = null
     where c.tenant_id = p_tenant_id and c.subject_ref = any (p_refs) and c.erasure_id is null;
    get diagnostics cases = row_count;
    return next;
  end $$`;

/** For the sweep of words: the next cases of all tenants, in the order of their ids. */
const WITHOUT_WORDS = `
  create function compliance.cases_without_words(p_after uuid, p_limit integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer set search_path = compliance, pg_temp as $$
    select c.tenant_id, c.id from review_case c
     where c.id > p_after and c.name_words is null and c.erasure_id is null
     order by c.id limit p_limit
  $$;
  revoke all on function compliance.cases_without_words from public;
  grant execute on function compliance.cases_without_words to compliance_app`;
