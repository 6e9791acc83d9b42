import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who is watched: the latest screening of each subject by each validation code, with what was said of the subject then. Written
 * with every screening, so that a change of a list is looked up in one narrow table, in the order of its key. The payload stands
 * there once more, as text: that of 5,000 subjects is handed on in one piece, without their facts being read and taken apart.
 */
const SUBJECTS = `
  create table compliance.monitored_subject (
    tenant_id uuid not null,
    validation_code text not null,
    subject_type text not null,
    subject_ref text not null,
    screening_id uuid not null,
    screened_at timestamptz not null,
    payload text not null,
    primary key (tenant_id, validation_code, subject_type, subject_ref)
  ) with (fillfactor = 90)`;

const WATCH = `
  create function compliance.watch_subject() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    insert into monitored_subject as m
      (tenant_id, validation_code, subject_type, subject_ref, screening_id, screened_at, payload)
    values (new.tenant_id, new.validation_code, new.subject_type, new.subject_ref, new.id, new.created_at, new.facts ->> 'payload')
    on conflict (tenant_id, validation_code, subject_type, subject_ref) do update
       set screening_id = excluded.screening_id, screened_at = excluded.screened_at, payload = excluded.payload
     where m.screening_id < excluded.screening_id;
    return null;
  end $$;
  create trigger watch_subject after insert on compliance.screening
    for each row execute function compliance.watch_subject()`;

/**
 * One row for each list of each tenant that is to be screened again: everything that changed from one version to another. A
 * further version that comes while a row waits becomes its end (one job, not two). pass: first, for all subjects; late, for those
 * whose screening began with the former version and ended after the first pass had gone by.
 */
const JOBS = `
  create table compliance.rescreen_job (
    id uuid primary key,
    tenant_id uuid not null,
    list text not null,
    own boolean not null,
    from_version uuid,
    to_version uuid not null,
    status text not null default 'pending',
    pass text not null default 'first',
    position jsonb,
    subjects integer not null default 0,
    affected integer not null default 0,
    rescreened integer not null default 0,
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    lease_token uuid,
    requested_at timestamptz not null default now(),
    finished_at timestamptz,
    trouble text,
    constraint rescreen_job_status check (status in ('pending', 'running', 'done')),
    constraint rescreen_job_pass check (pass in ('first', 'late'))
  );
  create unique index rescreen_job_waiting on compliance.rescreen_job (tenant_id, list, own)
    where status = 'pending' and pass = 'first' and attempts = 0;
  create index rescreen_job_due on compliance.rescreen_job (due_at) where status <> 'done'`;

/**
 * Asks for the subjects of every tenant, or of the owner of the list, to be screened again. Tenants are found by skipping along the
 * key: their number counts, not that of their subjects.
 */
const REQUEST = `
  create function compliance.request_rescreens(p_list text, p_owner uuid, p_from uuid, p_to uuid) returns integer
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    jobs integer;
  begin
    with recursive watched(tenant_id) as (
      (select m.tenant_id from monitored_subject m
        where p_owner is null or m.tenant_id = p_owner order by m.tenant_id limit 1)
      union all
      select (select m.tenant_id from monitored_subject m
               where m.tenant_id > w.tenant_id and p_owner is null order by m.tenant_id limit 1)
        from watched w where w.tenant_id is not null
    )
    insert into rescreen_job as j (id, tenant_id, list, own, from_version, to_version)
    select gen_random_uuid(), w.tenant_id, p_list, p_owner is not null, p_from, p_to
      from watched w where w.tenant_id is not null
    on conflict (tenant_id, list, own) where status = 'pending' and pass = 'first' and attempts = 0
      do update set to_version = excluded.to_version, requested_at = now();
    get diagnostics jobs = row_count;
    return jobs;
  end $$`;

/**
 * Leases the job that is longest due, of a tenant whose monitoring is on: what waits while it is off is caught up with once it is on
 * again. A job whose holder died comes due by itself. One job of a tenant's list runs at a time.
 */
const CLAIM = `
  create function compliance.claim_rescreen(p_lease_seconds integer)
  returns table (id uuid, tenant_id uuid, list text, own boolean, from_version uuid, to_version uuid, pass text, "position" jsonb,
                 attempts integer, requested_at timestamptz, lease_token uuid)
  language sql volatile security definer set search_path = compliance, pg_temp as $$
    with due as (
      select j.id from rescreen_job j
       where j.status <> 'done' and j.due_at <= now()
         and coalesce((select s.monitoring from tenant_settings s where s.tenant_id = j.tenant_id), true)
         and not exists (select 1 from rescreen_job o
                          where o.tenant_id = j.tenant_id and o.list = j.list and o.own = j.own and o.status = 'running'
                            and o.due_at > now())
       order by j.due_at limit 1 for update skip locked
    )
    update rescreen_job j
       set status = 'running', lease_token = gen_random_uuid(), attempts = j.attempts + 1,
           due_at = now() + make_interval(secs => p_lease_seconds)
      from due where j.id = due.id
    returning j.id, j.tenant_id, j.list, j.own, j.from_version, j.to_version, j.pass, j."position", j.attempts, j.requested_at,
              j.lease_token
  $$`;

/** Progress, the end of a pass, and giving back: each fenced by the lease. Answer whether the lease was still held. */
const PROGRESS = `
  create function compliance.advance_rescreen(
    p_id uuid, p_lease_token uuid, p_position jsonb, p_subjects integer, p_affected integer, p_rescreened integer,
    p_lease_seconds integer
  ) returns boolean
  language plpgsql volatile security definer set search_path = compliance, pg_temp as $$
  begin
    update rescreen_job
       set "position" = p_position, subjects = subjects + p_subjects, affected = affected + p_affected,
           rescreened = rescreened + p_rescreened, due_at = now() + make_interval(secs => p_lease_seconds)
     where id = p_id and lease_token = p_lease_token and status = 'running';
    return found;
  end $$;
  create function compliance.finish_rescreen(p_id uuid, p_lease_token uuid, p_late_seconds integer) returns boolean
  language plpgsql volatile security definer set search_path = compliance, pg_temp as $$
  begin
    update rescreen_job
       set status = case when pass = 'late' then 'done' else 'pending' end,
           finished_at = case when pass = 'late' then now() end,
           due_at = greatest(now(), requested_at + make_interval(secs => p_late_seconds)),
           pass = 'late', "position" = null, lease_token = null, trouble = null
     where id = p_id and lease_token = p_lease_token and status = 'running';
    return found;
  end $$;
  create function compliance.defer_rescreen(p_id uuid, p_lease_token uuid, p_delay_seconds integer, p_trouble text) returns boolean
  language plpgsql volatile security definer set search_path = compliance, pg_temp as $$
  begin
    update rescreen_job
       set status = 'pending', due_at = now() + make_interval(secs => p_delay_seconds), lease_token = null, trouble = p_trouble
     where id = p_id and lease_token = p_lease_token and status = 'running';
    return found;
  end $$`;

/** Jobs that wait, tenants with the switch off left out, and for how long the oldest has. */
const BACKLOG = `
  create function compliance.rescreen_backlog() returns table (waiting bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = compliance, pg_temp as $$
    select count(*), coalesce(extract(epoch from now() - min(j.requested_at)), 0)::double precision
      from rescreen_job j
     where j.status <> 'done' and j.pass = 'first'
       and coalesce((select s.monitoring from tenant_settings s where s.tenant_id = j.tenant_id), true)
  $$`;

const FUNCTIONS = `compliance.request_rescreens, compliance.claim_rescreen, compliance.advance_rescreen,
  compliance.finish_rescreen, compliance.defer_rescreen, compliance.rescreen_backlog`;

const GRANTS = `
  revoke all on function ${FUNCTIONS}, compliance.watch_subject from public;
  grant execute on function ${FUNCTIONS} to compliance_app`;

export class Monitoring1763700000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      SUBJECTS,
      tenantTable('compliance', 'monitored_subject', ['select']),
      WATCH,
      JOBS,
      tenantTable('compliance', 'rescreen_job', ['select']),
      REQUEST,
      CLAIM,
      PROGRESS,
      BACKLOG,
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop trigger watch_subject on compliance.screening`);
    await runner.query(`drop function ${FUNCTIONS}, compliance.watch_subject`);
    await runner.query(`drop table compliance.rescreen_job, compliance.monitored_subject`);
  }
}
