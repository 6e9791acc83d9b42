import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replay runs of what an endpoint never had a delivery of, and of one endpoint alone. */
export class MissingReplays1764000000620 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, MISSING, MATCHING, COUNT, REPLAY_AGAIN, REPLAY_MISSING, SLICE, OPS_ENDPOINTS, GRANTS])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql security definer set search_path = platform, pg_temp';

/** Events that one slice of a run looks at. */
const SLICE_EVENTS = 10_000;

const COLUMNS = `
  alter table platform.replay_run add column missing boolean not null default false, add column endpoint_id uuid`;

/**
 * Events of a run's tenant and endpoints that were never put together, p_from to p_to, oldest first. An event and its deliveries
 * become visible together, so one that is being emitted at this moment is not among them. Tests are nobody else's events.
 */
const MISSING = `
  create function platform.missing_deliveries(r platform.replay_run, p_from uuid, p_to uuid, p_limit integer)
  returns table (event_id uuid, endpoint_id uuid, module text, event_type text) ${AS_OWNER} as $$
  begin
    return query
    select v.event_id, e.id, coalesce(e.module, v.module), v.event_type
      from event v join webhook_endpoint e on e.tenant_id = v.tenant_id and receives(e, v.module, v.event_type)
     where v.tenant_id = r.tenant_id and v.event_id >= p_from and v.event_id <= p_to
       and v.only_endpoint_id is null and v.event_type <> 'endpoint.test'
       and (r.module is null or v.module = r.module) and (r.event_type is null or v.event_type = r.event_type)
       and (r.endpoint_id is null or e.id = r.endpoint_id)
       and not exists (select 1 from delivery d
                        where d.tenant_id = v.tenant_id and d.event_id = v.event_id and d.endpoint_id = e.id)
     order by v.event_id, e.id limit p_limit;
  end $$;

  create function platform.replay_begin(r platform.replay_run) returns uuid language sql stable as $$
    select greatest(r.cursor_event_id, coalesce(platform.uuid_floor(r.from_at), '00000000-0000-0000-0000-000000000000'))
  $$;
  -- A clock that is ahead may have dated the last events before the run after it.
  create function platform.replay_end(r platform.replay_run) returns uuid language sql stable as $$
    select platform.uuid_floor(least(r.to_at, r.created_at + interval '1 minute'))
  $$`;

/** As before, and of one endpoint alone where the run says so. */
const MATCHING = `
  create or replace function platform.replay_matching(r platform.replay_run, p_limit integer)
  returns table (event_id uuid, id uuid, endpoint_id uuid) ${AS_OWNER} as $$
  begin
    return query execute format($q$
      select d.event_id, d.id, d.endpoint_id from platform.delivery d
       where %s d.status = any ($2) and (d.event_id, d.id) > ($3, $4)
         and d.event_id >= $5 and d.event_id < $6 and ($7 is null or d.module = $7) and ($8 is null or d.event_type = $8)
         and d.created_at <= $9 and ($11 is null or d.endpoint_id = $11) %s
       order by d.event_id, d.id limit $10 $q$,
      case when r.tenant_id is null then '$1::uuid is null and' else 'd.tenant_id = $1 and' end,
      case when r.statuses = '{failed}' then 'and d.failed_at is not null' else '' end)
    using r.tenant_id, r.statuses, r.cursor_event_id, r.cursor_id,
          coalesce(platform.uuid_floor(r.from_at), '00000000-0000-0000-0000-000000000000'),
          coalesce(platform.uuid_floor(r.to_at), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
          r.module, r.event_type, r.created_at, p_limit, r.endpoint_id;
  end $$`;

const COUNT = `
  create or replace function platform.count_replay(p_run_id uuid) returns integer ${AS_OWNER} as $$
  declare
    r platform.replay_run;
    found_deliveries integer;
  begin
    select * into strict r from replay_run where id = p_run_id;
    perform require_tenant(r.tenant_id);
    if r.missing then
      select count(*) into found_deliveries from missing_deliveries(r, replay_begin(r), replay_end(r), r.max_deliveries);
    else
      select count(*) into found_deliveries from replay_matching(r, r.max_deliveries);
    end if;
    update replay_run set matched = found_deliveries,
           status = case when dry_run or found_deliveries = 0 then 'completed' else status end,
           finished_at = case when dry_run or found_deliveries = 0 then now() end
     where id = p_run_id;
    return found_deliveries;
  end $$`;

/** One slice of deliveries that are put back in line. */
const REPLAY_AGAIN = `
  create function platform.replay_again(
    r platform.replay_run, p_most integer, out seen integer, out done integer, out finished boolean,
    out last_event uuid, out last_id uuid, out endpoints uuid[]
  ) ${AS_OWNER} as $$
  begin
    with slice as materialized (
      select m.*, row_number() over (order by m.event_id, m.id) as nth from replay_matching(r, p_most) m
    ), again as (
      update delivery d
         set status = 'pending', next_attempt_at = now(), schedule_step = 0, replay_run_id = r.id, failed_at = null,
             lease_token = null, lease_until = null
        from slice s join webhook_endpoint e on e.id = s.endpoint_id and e.enabled
       where d.id = s.id and d.status = any (r.statuses)
      returning d.endpoint_id
    )
    select (select count(*) from slice), (select count(*) from again),
           (select s.event_id from slice s order by s.nth desc limit 1), (select s.id from slice s order by s.nth desc limit 1),
           (select array_agg(distinct a.endpoint_id) from again a)
      into seen, done, last_event, last_id, endpoints;
    finished := seen < p_most;
  end $$`;

/** One slice of deliveries that are made. The lock: two runs of a tenant must not make the same one. */
const REPLAY_MISSING = `
  create function platform.replay_missing(
    r platform.replay_run, p_most integer, out seen integer, out done integer, out finished boolean,
    out last_event uuid, out last_id uuid, out endpoints uuid[]
  ) ${AS_OWNER} as $$
  declare
    looked_at integer;
    until_event uuid;
  begin
    perform pg_advisory_xact_lock(hashtextextended('platform.replay_missing:' || r.tenant_id, 0));
    select count(*), (array_agg(l.event_id order by l.event_id desc))[1] into looked_at, until_event
      from (select v.event_id from event v
             where v.tenant_id = r.tenant_id and v.event_id >= replay_begin(r) and v.event_id <= replay_end(r)
             order by v.event_id limit ${SLICE_EVENTS}) l;
    with slice as materialized (
      select m.* from missing_deliveries(r, replay_begin(r), until_event, p_most) m
    ), made as (
      insert into delivery (id, event_id, tenant_id, endpoint_id, module, event_type, replay_run_id)
      select uuid_v7(), s.event_id, r.tenant_id, s.endpoint_id, s.module, s.event_type, r.id from slice s
      returning endpoint_id
    )
    select (select count(*) from slice), (select count(*) from made), (select array_agg(distinct m.endpoint_id) from made m),
           (select s.event_id from slice s order by s.event_id desc limit 1)
      into seen, done, endpoints, last_event;
    finished := looked_at < ${SLICE_EVENTS} and seen < p_most;
    if seen < p_most then
      last_event := until_event;
    end if;
  end $$`;

/** As before; what a slice does depends on the run. */
const SLICE = `
  create or replace function platform.replay_slice(p_run_id uuid, p_limit integer) returns uuid[] ${AS_OWNER} as $$
  declare
    r platform.replay_run;
    most integer;
    s record;
  begin
    select * into r from replay_run x
     where x.id = p_run_id and x.status = 'running' for update skip locked;
    if not found then
      return '{}';
    end if;
    most := least(coalesce(r.per_second, p_limit), r.max_deliveries - r.replayed - r.skipped);
    if r.missing then
      select * into s from replay_missing(r, most);
    else
      select * into s from replay_again(r, most);
    end if;
    update replay_run x
       set replayed = x.replayed + s.done,
           skipped = x.skipped + s.seen - s.done,
           cursor_event_id = coalesce(s.last_event, x.cursor_event_id),
           cursor_id = coalesce(s.last_id, x.cursor_id),
           status = case when s.finished or x.replayed + x.skipped + s.seen >= x.max_deliveries then 'completed'
                         else x.status end,
           finished_at = case when s.finished or x.replayed + x.skipped + s.seen >= x.max_deliveries then now() end
     where x.id = r.id;
    return coalesce(s.endpoints, '{}');
  end $$`;

/** As before; an endpoint of several modules shows them all. */
const OPS_ENDPOINTS = `
  create or replace function platform.ops_endpoints(
    p_ids uuid[], p_tenant_id uuid, p_health text, p_after uuid, p_limit integer
  ) returns table (id uuid, tenant_id uuid, slug text, module text, url text, enabled boolean, event_types text[],
                   disabled_reason text, paused_until timestamptz, consecutive_failures integer, first_failure_at timestamptz,
                   due bigint) language plpgsql stable security definer set search_path = platform, pg_temp as $$
  begin
    return query
    select e.id, e.tenant_id, t.slug, coalesce(e.module, array_to_string(e.modules, ',')), e.url, e.enabled, e.event_types,
           e.disabled_reason, case when e.paused_until > now() then e.paused_until end, e.consecutive_failures,
           e.first_failure_at, w.due
      from webhook_endpoint e
      join tenant t on t.id = e.tenant_id
      cross join lateral (
        select count(*) as due from (
          select 1 from delivery d where d.endpoint_id = e.id and d.next_attempt_at <= now() limit 10000) x) w
     where (p_ids is null or e.id = any (p_ids)) and (p_tenant_id is null or e.tenant_id = p_tenant_id)
       and (p_after is null or e.id > p_after)
       and case p_health when 'failing' then e.enabled and e.consecutive_failures > 0
                         when 'paused' then e.enabled and e.paused_until > now()
                         when 'disabled' then not e.enabled
                         else true end
     order by e.id limit p_limit;
  end $$`;

const GRANTS = `
  revoke all on function platform.missing_deliveries, platform.replay_begin, platform.replay_end, platform.replay_again,
    platform.replay_missing from public`;
