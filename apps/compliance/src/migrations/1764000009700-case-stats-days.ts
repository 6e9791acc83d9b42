import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the cases resolved on a day count is kept, so that statistics do not read them again (ADR 0266). */
export class CaseStatsDays1764000009700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      DAYS,
      tenantTable('compliance', 'case_stats_day', ['select']),
      BUCKETS,
      RESOLVED,
      COUNT,
      FORGET,
      TRIGGERS,
      RIGHTS,
    ];
    for (const sql of statements) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * A day (UTC) that is over. \`upto\`: how many cases took no longer than each of \`buckets\`, which are in order (resolution_bucket). Not
 * compressed: the search for the median looks into them often; 1,100 buckets are a century, and fit.
 */
const DAYS = `
  create table compliance.case_stats_day (
    tenant_id uuid not null,
    day date not null,
    resolved integer not null,
    breached integer not null,
    drafted integer not null,
    buckets smallint[] not null,
    upto integer[] not null,
    primary key (tenant_id, day),
    constraint case_stats_day_buckets check (cardinality(buckets) = cardinality(upto))
  );
  alter table compliance.case_stats_day alter column buckets set storage plain, alter column upto set storage plain`;

/** Bucket n has times of more than 1.0202^(n-1) and at most 1.0202^n seconds: its hours are those of any of them, to within 1 %. */
const BUCKETS = `
  create function compliance.resolution_bucket(p_time interval) returns smallint language sql immutable parallel safe
    return ceil(ln(greatest(date_part('epoch', p_time), 1)) / ln(1.0202::float8))::smallint;
  create function compliance.bucket_hours(p_bucket smallint) returns float8 language sql immutable parallel safe
    return 2 / 2.0202 * power(1.0202::float8, p_bucket) / 3600`;

/** What the cases that were resolved on a day count: one row. Read from index review_case_resolved_lately alone. */
const RESOLVED = `
  create function compliance.cases_resolved_on(p_tenant_id uuid, p_day date)
  returns table (resolved integer, breached integer, drafted integer, buckets smallint[], upto integer[]) language sql stable
  begin atomic
    select coalesce(sum(b.cases), 0)::integer, coalesce(sum(b.breached), 0)::integer, coalesce(sum(b.drafted), 0)::integer,
           coalesce(array_agg(b.bucket order by b.bucket), '{}'), coalesce(array_agg(b.upto order by b.bucket), '{}')
      from (select g.*, (sum(g.cases) over (order by g.bucket))::integer as upto
              from (select compliance.resolution_bucket(c.resolved_at - c.opened_at) as bucket, count(*) as cases,
                           count(c.sla_breached_at) as breached, count(c.ros_reference) as drafted
                      from compliance.review_case c
                     where c.tenant_id = p_tenant_id and c.status = 'resolved' and c.erasure_id is null
                       and c.resolved_at >= p_day::timestamp at time zone 'utc'
                       and c.resolved_at < (p_day + 1)::timestamp at time zone 'utc'
                     group by 1) g) b;
  end`;

/** The lock of a day: changes of the cases that were resolved on it share it; counting them takes it alone. */
const LOCK = (tenant: string, day: string) =>
  `hashtext('compliance.case_stats_day ' || ${tenant}), ${day} - date '2000-01-01'`;

/**
 * Stores the days from \`p_first\` on that are over and are not stored yet, and removes those before. Skips a day of which a case is
 * being changed: it waits for nobody. READ COMMITTED, so that a day is read as it is once it is locked. Answers true after half a
 * second, when days may be left for another transaction: a change of a case waits no longer than that.
 */
const COUNT = `
  create function compliance.count_case_days(p_tenant_id uuid, p_first date) returns boolean
  language plpgsql security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  declare
    v_today constant date := (now() at time zone 'utc')::date;
    v_day date;
  begin
    if p_tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
      raise exception 'the transaction is of another tenant' using errcode = 'insufficient_privilege';
    end if;
    delete from case_stats_day d where d.tenant_id = p_tenant_id and d.day < p_first;
    for v_day in
      select past.day from (select v_today - n as day from generate_series(1, least(v_today - p_first, 98)) n) past
       where not exists (select from case_stats_day d where d.tenant_id = p_tenant_id and d.day = past.day)
    loop
      continue when not pg_try_advisory_xact_lock(${LOCK('p_tenant_id', 'v_day')});
      insert into case_stats_day (tenant_id, day, resolved, breached, drafted, buckets, upto)
      select p_tenant_id, v_day, r.* from cases_resolved_on(p_tenant_id, v_day) r
      on conflict do nothing;
      if clock_timestamp() > now() + interval '0.5 seconds' then
        return true;
      end if;
    end loop;
    return false;
  end $$`;

/** Waits until the day has been counted; what counts it afterwards sees the change, since the lock is held until the commit. */
const FORGET = `
  create function compliance.forget_case_day() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    v_tenant constant uuid := coalesce(new.tenant_id, old.tenant_id);
    v_day date;
  begin
    for v_day in
      select distinct (t.at at time zone 'utc')::date from unnest(array[old.resolved_at, new.resolved_at]) t (at) where t.at is not null
    loop
      perform pg_advisory_xact_lock_shared(${LOCK('v_tenant', 'v_day')});
      delete from case_stats_day d where d.tenant_id = v_tenant and d.day = v_day;
    end loop;
    return null;
  end $$`;

const WITHIN = (resolvedAt: string) => `${resolvedAt} > now() - interval '100 days'`;
const COUNTED = (row: string) =>
  `(${row}.status, ${row}.erasure_id, ${row}.opened_at, ${row}.resolved_at, ${row}.sla_breached_at is null, ${row}.ros_reference is null)`;

/** Of days that may be stored: none is older than 98 days. */
const TRIGGERS = `
  create trigger review_case_counted_inserted after insert on compliance.review_case
    for each row when (new.status = 'resolved' and ${WITHIN('new.resolved_at')})
    execute function compliance.forget_case_day();
  create trigger review_case_counted after update on compliance.review_case
    for each row when ((old.status = 'resolved' or new.status = 'resolved') and ${WITHIN('greatest(old.resolved_at, new.resolved_at)')}
                       and ${COUNTED('old')} is distinct from ${COUNTED('new')})
    execute function compliance.forget_case_day();
  create trigger review_case_counted_deleted after delete on compliance.review_case
    for each row when (old.status = 'resolved' and ${WITHIN('old.resolved_at')})
    execute function compliance.forget_case_day()`;

const RIGHTS = `
  revoke all on function compliance.resolution_bucket, compliance.bucket_hours, compliance.cases_resolved_on,
                         compliance.count_case_days, compliance.forget_case_day from public;
  grant execute on function compliance.resolution_bucket, compliance.bucket_hours, compliance.cases_resolved_on,
                            compliance.count_case_days to compliance_app`;
