import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a replay run finds costs the same however many other deliveries there are. docs/guides/upgrade.md says how to build the index
 * beforehand.
 */
export class FlatReplays1764000008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [INDEX, FOUND, MATCHING, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const INDEX = `
  create index if not exists delivery_failed_by_endpoint
    on platform.delivery (tenant_id, endpoint_id, event_type, event_id, id) where failed_at is not null`;

/** What every delivery of a run meets, beside its tenant and status. */
const AHEAD = `(d.event_id, d.id) > ($2, $3) and d.event_id >= $4 and d.event_id < $5 and d.created_at <= $6
         and ($7::text is null or d.module = $7) and ($8::text is null or d.event_type = $8) and ($9::uuid is null or d.endpoint_id = $9)`;

/** In the order of its events. */
const BY_EVENT = `(
      select d.event_id, d.id, d.endpoint_id from platform.delivery d
       where d.tenant_id = $1 and %s and ${AHEAD}
       order by d.event_id, d.id limit $10)`;

/**
 * The first of each endpoint and type that the run names. Both are compared together with the ids, and come first in the order: with
 * equalities Postgres may read all deliveries of the tenant for the few of a rare type. A type has one module, but for tests.
 */
const BY_PAIR = `(
      select d.event_id, d.id, d.endpoint_id from pair p cross join lateral (
        select d.event_id, d.id, d.endpoint_id from platform.delivery d
         where d.tenant_id = $1 and %s and ${AHEAD}
           and (d.endpoint_id, d.event_type, d.event_id, d.id) > (p.endpoint_id, p.event_type, greatest($2, $4), case when $2 >= $4 then $3 else $11 end)
           and (d.endpoint_id, d.event_type, d.event_id) < (p.endpoint_id, p.event_type, $5)
         order by d.endpoint_id, d.event_type, d.event_id, d.id limit $10) d
       where ($8::text is null or p.event_type = $8) and ($9::uuid is null or p.endpoint_id = $9)
         and ($7::text is null or p.event_type = 'endpoint.test' or $7 = (
           select l.module from platform.delivery l
            where l.tenant_id = $1 and (l.endpoint_id, l.event_type) >= (p.endpoint_id, p.event_type)
            order by l.endpoint_id, l.event_type limit 1)))`;

/** What is open, by endpoint: few among many that are done. */
const OPEN = `(
      select o.event_id, o.id, o.endpoint_id from (select distinct endpoint_id from pair) p cross join lateral (
        select d.event_id, d.id, d.endpoint_id from platform.delivery d
         where d.tenant_id = $1 and d.status = 'pending' and d.next_attempt_at is not null and ${AHEAD}
           and d.endpoint_id = p.endpoint_id
         order by d.event_id, d.id limit $10) o)`;

/** The endpoints and types that the tenant has deliveries of: each one look into the index of both. */
const PAIRS = `with recursive pair(endpoint_id, event_type) as (
      (select endpoint_id, event_type from platform.delivery where tenant_id = $1 order by endpoint_id, event_type limit 1)
      union all
      select n.endpoint_id, n.event_type from pair p cross join lateral (
        select d.endpoint_id, d.event_type from platform.delivery d
         where d.tenant_id = $1 and (d.endpoint_id, d.event_type) > (p.endpoint_id, p.event_type)
         order by d.endpoint_id, d.event_type limit 1) n)`;

/** The statement that finds a run's deliveries of a tenant: those of each status from an index of its own. */
const FOUND = `
  create function platform.replay_statement(r platform.replay_run) returns text
  language sql immutable set search_path = platform, pg_temp as $f$
    select $q$ ${PAIRS} $q$ || string_agg(case status
        when 'pending' then $q$ select * from ${OPEN} pending $q$
        else format($q$ select * from $q$ || case when r.module is null and r.event_type is null and r.endpoint_id is null
                      then $q$ ${BY_EVENT} $q$ else $q$ ${BY_PAIR} $q$ end || ' found',
                    case status when 'failed' then $q$ d.status = 'failed' and d.failed_at is not null $q$
                                else format('d.status = %L', status) end)
        end, ' union all ') || ' order by 1, 2 limit $10'
      from (select distinct unnest(r.statuses)) chosen(status)
  $f$`;

/** As before; of one tenant each status and, where the run names them, each endpoint and type on its own. */
const MATCHING = `
  create or replace function platform.replay_matching(r platform.replay_run, p_limit integer)
  returns table (event_id uuid, id uuid, endpoint_id uuid)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    since uuid := coalesce(uuid_floor(r.from_at), '00000000-0000-0000-0000-000000000000');
    until uuid := coalesce(uuid_floor(r.to_at), 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  begin
    if r.tenant_id is not null then
      return query execute replay_statement(r)
        using r.tenant_id, r.cursor_event_id, r.cursor_id, since, until, r.created_at, r.module, r.event_type, r.endpoint_id, p_limit,
              '00000000-0000-0000-0000-000000000000'::uuid;
      return;
    end if;
    return query
    select d.event_id, d.id, d.endpoint_id from delivery d
     where d.status = any (r.statuses) and d.failed_at is not null and (d.event_id, d.id) > (r.cursor_event_id, r.cursor_id)
       and d.event_id >= since and d.event_id < until and d.created_at <= r.created_at
       and (r.module is null or d.module = r.module) and (r.event_type is null or d.event_type = r.event_type)
       and (r.endpoint_id is null or d.endpoint_id = r.endpoint_id)
     order by d.event_id, d.id limit p_limit;
  end $$`;

const GRANTS = `revoke all on function platform.replay_statement from public`;
