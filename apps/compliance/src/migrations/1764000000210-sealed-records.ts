import { allowCommit } from '@constancia/credit-ledger';
import { ownedAnswers } from '@constancia/idempotency';
import { sealedMembers } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TIMELINE } from '../case-records/case-chains.ts';
import { ERASURE_FUNCTIONS, ERASURES } from './1764000000210-erasures.sql.ts';
import { SEALING_FUNCTIONS } from './1764000000210-sealing.sql.ts';

/**
 * Personal data is sealed with the key of its subject (libs/personal-data). Where a row is sealed, the columns that the release before
 * reads in the clear hold '{}', '[]' or ''. `erasure_id`: the row is blocked by an erasure; the policy hides it from every query.
 */
const COLUMNS = `
  alter table compliance.screening
    add column subject_key_id uuid, add column sealed_payload bytea, add column sealed_facts bytea,
    add column sealed_result bytea, add column erasure_id uuid, add column monitored_payload bytea;
  alter table compliance.monitored_subject add column sealed_payload bytea;
  alter table compliance.review_case
    add column subject_key_id uuid, add column sealed bytea, add column erasure_id uuid;
  alter table compliance.tenant_settings
    add column retention_days integer not null default 1825 check (retention_days between 1825 and 36500);
  create index screening_erased on compliance.screening (erasure_id) where erasure_id is not null;
  create index review_case_erased on compliance.review_case (erasure_id) where erasure_id is not null`;

const TENANT = `nullif(current_setting('app.tenant_id', true), '')::uuid`;

const HIDDEN = ['screening', 'review_case']
  .map(
    (table) => `alter policy tenant_rows on compliance.${table} using (tenant_id = ${TENANT} and erasure_id is null)`,
  )
  .join(';');

/** A person who comes back after an erasure may have an open case again, beside the blocked one. */
const ONE_OPEN = `
  drop index compliance.review_case_one_open;
  create unique index review_case_one_open on compliance.review_case (tenant_id, subject_ref, subject_type, validation_code)
    where status <> 'resolved' and erasure_id is null`;

/**
 * Before the insert: \`monitored_payload\`, sealed with the tenant's key so that 100,000 are opened quickly, moves to the row of
 * monitoring, which is deleted with the subject. A screening never keeps it.
 */
const WATCH = `
  create or replace function compliance.watch_subject() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    insert into monitored_subject as m
      (tenant_id, validation_code, subject_type, subject_ref, screening_id, screened_at, payload, sealed_payload)
    values (new.tenant_id, new.validation_code, new.subject_type, new.subject_ref, new.id, new.created_at,
            coalesce(new.facts ->> 'payload', ''), new.monitored_payload)
    on conflict (tenant_id, validation_code, subject_type, subject_ref) do update
       set screening_id = excluded.screening_id, screened_at = excluded.screened_at, payload = excluded.payload,
           sealed_payload = excluded.sealed_payload
     where m.screening_id < excluded.screening_id;
    new.monitored_payload := null;
    return new;
  end $$;
  drop trigger watch_subject on compliance.screening;
  create trigger watch_subject before insert on compliance.screening
    for each row execute function compliance.watch_subject()`;

/** As before, without what an erasure blocked. */
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
        from (select s.id, s.decision, s.trigger, s.created_at from screening s
               where s.tenant_id = p_tenant_id and s.subject_ref = p_subject_ref and s.subject_type = p_subject_type
                 and s.id >= p_since and s.erasure_id is null
               order by s.id desc limit 1000) e;
    end if;
    return jsonb_build_object('published', published, 'earlier', earlier);
  end $$`;

const OPEN_CASE = `select k.id, k.version, k.status, k.priority, k.due_at, k.screening_decision, k.screening_score, k.rules_fired,
                       k.list_hits, k.hits, k.proposal, k.ros_reference is not null as ros_drafted`;
const OF_OPEN_CASE = `from review_case k
                 where k.tenant_id = p_tenant_id and k.subject_ref = p_subject_ref and k.subject_type = p_subject_type
                   and k.validation_code = p_validation_code and k.status <> 'resolved' and k.erasure_id is null`;
const SUPPRESSIONS = `(select coalesce(jsonb_agg(jsonb_build_object('subject_hash', h.subject_hash, 'list', h.list, 'entry_hash', h.entry_hash)), '[]')
                from suppressed_hit h
               where h.tenant_id = p_tenant_id and h.subject_ref = p_subject_ref and h.subject_type = p_subject_type
                 and h.withdrawn_at is null)`;
const CONTEXT_ARGS = 'p_tenant_id uuid, p_subject_ref text, p_subject_type text, p_validation_code text';
const CONTEXT_BODY =
  'language plpgsql stable security definer set search_path = compliance, pg_temp set enable_seqscan = off';

/** The second one knows the key of the subject, the mode, and everything of a case that is sealed together. Bytes in hexadecimal. */
const CASE_CONTEXT = `
  create or replace function compliance.case_context(${CONTEXT_ARGS}) returns table (open_case jsonb, suppressions jsonb)
  ${CONTEXT_BODY} as $$
  begin
    return query select (select to_jsonb(c) from (${OPEN_CASE} ${OF_OPEN_CASE}) c), ${SUPPRESSIONS};
  end $$;
  create function compliance.case_context_v2(${CONTEXT_ARGS})
  returns table (open_case jsonb, suppressions jsonb, mode text, key_id uuid, wrapped_key text)
  ${CONTEXT_BODY} as $$
  begin
    return query
      select (select to_jsonb(c) from (${OPEN_CASE}, k.subject, k.decision_reason, k.escalation_reason, k.ros_draft,
                       k.subject_key_id, encode(k.sealed, 'hex') as sealed ${OF_OPEN_CASE}) c), ${SUPPRESSIONS},
             (select m.mode from personal_data_mode m), s.id, encode(s.wrapped_key, 'hex')
        from (select 1) one
        left join subject_key s on s.tenant_id = p_tenant_id and s.ref = p_subject_ref and s.closed_at is null;
  end $$;
  revoke all on function compliance.case_context_v2 from public;
  grant execute on function compliance.case_context_v2 to compliance_app`;

/** As before; what is sealed of a case is replaced as a whole, and leaves nothing of it in the clear. */
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
          hits, priority, opened_at, due_at, subject_key_id, sealed)
      values (v_id, p_tenant_id, facts.subject_ref, facts.subject_type, facts.validation_code, facts.validation_version,
          facts.screening_id, facts.last_screening_id, facts.request_id, facts.screening_decision, facts.screening_score,
          facts.rules_fired, facts.list_hits, facts.list_versions, facts.subject, facts.hits, facts.priority,
          facts.opened_at, facts.due_at, facts.subject_key_id, facts.sealed)
      on conflict (tenant_id, subject_ref, subject_type, validation_code) where status <> 'resolved' and erasure_id is null
      do nothing;
    else
      update review_case
         set validation_version = facts.validation_version, last_screening_id = facts.last_screening_id,
             request_id = coalesce(facts.request_id, request_id), screening_decision = facts.screening_decision,
             screening_score = facts.screening_score, rules_fired = facts.rules_fired, list_hits = facts.list_hits,
             list_versions = facts.list_versions, subject = facts.subject, hits = facts.hits,
             priority = facts.priority, due_at = facts.due_at, status = facts.status, proposal = facts.proposal,
             subject_key_id = facts.subject_key_id, sealed = facts.sealed,
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

const BREACH_OVERDUE = `
  create or replace function compliance.breach_overdue_cases(p_limit integer) returns integer
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    overdue record;
    breached integer := 0;
  begin
    for overdue in
      select id, tenant_id, status, due_at from review_case
       where due_at <= now() and status <> 'resolved' and sla_breached_at is null and erasure_id is null
       order by due_at limit p_limit for update skip locked
    loop
      update review_case set sla_breached_at = now() where id = overdue.id;
      perform append_case_events(overdue.tenant_id, overdue.id, jsonb_build_array(jsonb_build_object(
        'type', 'sla_breached', 'actor', 'system', 'from', overdue.status, 'to', overdue.status,
        'data', '{"due_at":"' || to_char(overdue.due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || 'Z"}')));
      breached := breached + 1;
    end loop;
    return breached;
  end $$`;

const AS_OWNER = 'language sql stable security definer set search_path = compliance, pg_temp';

/** What operators see, without what an erasure blocked. */
const OPERATORS = `
  create or replace function compliance.ops_overdue_cases(p_after_due timestamptz, p_after_id uuid, p_limit int)
  returns table (id uuid, tenant_id uuid, priority text, status text, due_at timestamptz, assignee text, opened_at timestamptz,
                 escalated_at timestamptz) ${AS_OWNER} as $$
    select c.id, c.tenant_id, c.priority, c.status, c.due_at, c.assignee, c.opened_at, c.escalated_at from review_case c
     where c.status <> 'resolved' and c.due_at < now() and c.erasure_id is null
       and (p_after_id is null or (c.due_at, c.id) > (p_after_due, p_after_id))
     order by c.due_at, c.id limit p_limit
  $$;
  create or replace function compliance.ops_screening(p_id uuid, p_request_id uuid)
  returns table (id uuid, tenant_id uuid, validation_code text, validation_version int, trigger text, request_id uuid, decision text,
                 score bigint, lists text[], list_versions jsonb, case_id uuid, credits_debited int, created_at timestamptz)
  ${AS_OWNER} as $$
    select s.id, s.tenant_id, s.validation_code, s.validation_version, s.trigger, s.request_id, s.decision, s.score, s.list_hits,
           s.list_versions, s.case_id, s.credits_debited, s.created_at
      from screening s
     where (s.id = p_id or s.request_id = p_request_id) and s.erasure_id is null
     order by s.id limit 1
  $$;
  create or replace function compliance.ops_case(p_id uuid)
  returns table (id uuid, tenant_id uuid, status text, priority text, screening_id uuid, opened_at timestamptz, due_at timestamptz,
                 resolved_at timestamptz, events jsonb) ${AS_OWNER} as $$
    select c.id, c.tenant_id, c.status, c.priority, c.screening_id, c.opened_at, c.due_at, c.resolved_at,
           (select coalesce(jsonb_agg(jsonb_build_object('at', e.at, 'type', e.type, 'from', e."from", 'to', e."to") order by e.seq), '[]')
              from (select * from case_event x where x.case_id = c.id order by x.seq limit 500) e)
      from review_case c where c.id = p_id and c.erasure_id is null
  $$;
  create or replace function compliance.ops_work() returns table (kind text, open bigint, oldest_seconds double precision) ${AS_OWNER} as $$
    select 'rescreen', count(*), coalesce(extract(epoch from now() - min(j.requested_at)), 0)::double precision
      from rescreen_job j where j.status <> 'done'
    union all
    select 'overdue-case', count(*), coalesce(extract(epoch from now() - min(c.due_at)), 0)::double precision
      from review_case c where c.status <> 'resolved' and c.due_at < now() and c.erasure_id is null
  $$`;

export class SealedRecords1764000000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      COLUMNS,
      HIDDEN,
      ONE_OPEN,
      sealedMembers(TIMELINE),
      WATCH,
      SCREENING_CONTEXT,
      CASE_CONTEXT,
      ATTACH_TO_CASE,
      BREACH_OVERDUE,
      OPERATORS,
      ownedAnswers('compliance'),
      allowCommit('compliance', {
        tables: {
          screening: ['subject_key_id', 'sealed_payload', 'sealed_facts', 'sealed_result', 'monitored_payload'],
        },
        functions: ['claim_subject_key'],
      }),
      SEALING_FUNCTIONS,
      ERASURES,
      ERASURE_FUNCTIONS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
