import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members are notified of cases that are due soon, and of those that are overdue (ADR 0226). */
export class CaseNotifications1764000005450 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [NOTED, NOTIFY, BREACH_OVERDUE, DUE_SOON]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** due_soon_noted: the due_at of which members were notified; a case that is due at another time is noted again. */
const NOTED = `
  alter table compliance.review_case add column due_soon_noted timestamptz(3);
  create index review_case_due_soon on compliance.review_case (due_at)
    where status <> 'resolved' and erasure_id is null and due_soon_noted is distinct from due_at`;

/** For sweeps, which are of no tenant: notify_of_case asks whose transaction it is. */
const NOTIFY = `
  create function compliance.notify_of_time(p_tenant_id uuid, p_kind text, p_case_id uuid, p_due_at timestamptz, p_assignee text)
  returns void language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    perform set_config('app.tenant_id', p_tenant_id::text, true);
    perform platform_v1.notify_of_case(p_tenant_id, p_kind, p_case_id, extract(epoch from p_due_at)::text, p_assignee, null);
    perform set_config('app.tenant_id', '', true);
  end $$;
  revoke all on function compliance.notify_of_time from public`;

/** As before, and members are notified. */
const BREACH_OVERDUE = `
  create or replace function compliance.breach_overdue_cases(p_limit integer) returns integer
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    overdue record;
    breached integer := 0;
  begin
    for overdue in
      select id, tenant_id, status, assignee, due_at from review_case
       where due_at <= now() and status <> 'resolved' and sla_breached_at is null and erasure_id is null
       order by due_at limit p_limit for update skip locked
    loop
      update review_case set sla_breached_at = now() where id = overdue.id;
      perform append_case_events(overdue.tenant_id, overdue.id, jsonb_build_array(jsonb_build_object(
        'type', 'sla_breached', 'actor', 'system', 'from', overdue.status, 'to', overdue.status,
        'data', '{"due_at":"' || to_char(overdue.due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || 'Z"}')));
      perform notify_of_time(overdue.tenant_id, 'case_overdue', overdue.id, overdue.due_at, overdue.assignee);
      breached := breached + 1;
    end loop;
    return breached;
  end $$`;

/** In the last quarter of the hours that each priority has, members are notified once, whoever calls it how often. Answers how many cases. */
const DUE_SOON = `
  create function compliance.note_cases_due_soon(p_limit integer) returns integer
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    soon record;
    noted integer := 0;
  begin
    for soon in
      select id, tenant_id, assignee, due_at from review_case
       where due_at > now() and due_at <= now() + interval '30 hours'
         and due_at <= now() + case priority when 'critical' then interval '1 hour' when 'high' then interval '6 hours'
                                             when 'medium' then interval '18 hours' else interval '30 hours' end
         and status <> 'resolved' and erasure_id is null and due_soon_noted is distinct from due_at
       order by due_at limit p_limit for update skip locked
    loop
      update review_case set due_soon_noted = soon.due_at where id = soon.id;
      perform notify_of_time(soon.tenant_id, 'case_due_soon', soon.id, soon.due_at, soon.assignee);
      noted := noted + 1;
    end loop;
    return noted;
  end $$;
  revoke all on function compliance.note_cases_due_soon from public;
  grant execute on function compliance.note_cases_due_soon to compliance_app`;
