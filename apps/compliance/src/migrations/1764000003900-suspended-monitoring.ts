import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Monitoring rests while operators have the tenant suspended: what waits is caught up with once it is resumed. */
export class SuspendedMonitoring1764000003900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CLAIM, BACKLOG]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const IS_MONITORED = `
  coalesce((select s.monitoring from tenant_settings s where s.tenant_id = j.tenant_id), true)
  and platform_v1.tenant_standing(j.tenant_id) = 'active'`;

/** As before, of active tenants. */
const CLAIM = `
  create or replace function compliance.claim_rescreen(p_lease_seconds integer)
  returns table (id uuid, tenant_id uuid, list text, own boolean, from_version uuid, to_version uuid, pass text, "position" jsonb,
                 attempts integer, requested_at timestamptz, lease_token uuid)
  language sql volatile security definer set search_path = compliance, pg_temp as $$
    with due as (
      select j.id from rescreen_job j
       where j.status <> 'done' and j.due_at <= now() and ${IS_MONITORED}
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

/** As before, of active tenants. */
const BACKLOG = `
  create or replace function compliance.rescreen_backlog() returns table (waiting bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = compliance, pg_temp as $$
    select count(*), coalesce(extract(epoch from now() - min(j.requested_at)), 0)::double precision
      from rescreen_job j
     where j.status <> 'done' and j.pass = 'first' and ${IS_MONITORED}
  $$`;
