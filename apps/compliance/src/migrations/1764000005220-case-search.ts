import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Cases are found by words of the subject's name and by every filter of the list, without one being opened or its row being read (ADR 0218). */
export class CaseSearch1764000005220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMN, INDEXES, ATTACH_TO_CASE, BLOCK_SUBJECT, WITHOUT_WORDS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Null: not computed yet, as in rows that the release before writes; the sweep of words does it. */
const COLUMN = `alter table compliance.review_case add column name_words bigint[]`;

/** A page is chosen from the first index alone, newest first, whatever filters there are. The second one answers "mine". */
const INDEXES = `
  create index review_case_listed on compliance.review_case (tenant_id, id)
    include (status, priority, assignee, list_hits, opened_at, due_at, name_words) where erasure_id is null;
  create index review_case_assigned on compliance.review_case (tenant_id, assignee, id)
    where assignee is not null and erasure_id is null;
  create index review_case_without_words on compliance.review_case (id) where name_words is null and erasure_id is null;
  drop index compliance.review_case_newest`;

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
