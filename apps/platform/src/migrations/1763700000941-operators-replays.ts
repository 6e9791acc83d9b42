import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replay runs that operators order: the tenants' own mechanism, with a rate of their own, across one tenant or all of them
 * (`tenant_id` null: no tenant sees such a run), and resumable after a cancellation.
 */
export class OperatorsReplays1763700000941 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, MATCHING, SLICE, ORDER, LIST, TURN, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql security definer set search_path = platform, pg_temp';

/** The index is for what failed, whosever it is; small, since what failed is little. */
const COLUMNS = `
  alter table platform.replay_run
    alter column tenant_id drop not null,
    add column operator text,
    add column reason text,
    add column per_second integer check (per_second > 0),
    add constraint replay_run_of_all_has_operator check (tenant_id is not null or operator is not null);
  create index replay_run_newest on platform.replay_run (id desc);
  create index delivery_failed_anywhere on platform.delivery (event_id, id) where failed_at is not null`;

/** As before, and without a tenant across all of them: then only what failed, which has an index of its own. */
const MATCHING = `
  create or replace function platform.replay_matching(r platform.replay_run, p_limit integer)
  returns table (event_id uuid, id uuid, endpoint_id uuid) ${AS_OWNER} as $$
  begin
    return query execute format($q$
      select d.event_id, d.id, d.endpoint_id from platform.delivery d
       where %s d.status = any ($2) and (d.event_id, d.id) > ($3, $4)
         and d.event_id >= $5 and d.event_id < $6 and ($7 is null or d.module = $7) and ($8 is null or d.event_type = $8)
         and d.created_at <= $9 %s
       order by d.event_id, d.id limit $10 $q$,
      case when r.tenant_id is null then '$1::uuid is null and' else 'd.tenant_id = $1 and' end,
      case when r.statuses = '{failed}' then 'and d.failed_at is not null' else '' end)
    using r.tenant_id, r.statuses, r.cursor_event_id, r.cursor_id,
          coalesce(platform.uuid_floor(r.from_at), '00000000-0000-0000-0000-000000000000'),
          coalesce(platform.uuid_floor(r.to_at), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
          r.module, r.event_type, r.created_at, p_limit;
  end $$`;

/** As before; a run with a rate of its own takes as many in a slice, whatever the dispatcher's configuration says. */
const SLICE = `
  create or replace function platform.replay_slice(p_run_id uuid, p_limit integer) returns uuid[] ${AS_OWNER} as $$
  declare
    r platform.replay_run;
    most integer;
    seen integer;
    requeued integer;
    last_event uuid;
    last_id uuid;
    endpoints uuid[];
  begin
    select * into r from replay_run x
     where x.id = p_run_id and x.status = 'running' for update skip locked;
    if not found then
      return '{}';
    end if;
    most := least(coalesce(r.per_second, p_limit), r.max_deliveries - r.replayed - r.skipped);
    with slice as materialized (
      select m.*, row_number() over (order by m.event_id, m.id) as nth from replay_matching(r, most) m
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
      into seen, requeued, last_event, last_id, endpoints;
    update replay_run x
       set replayed = x.replayed + requeued,
           skipped = x.skipped + seen - requeued,
           cursor_event_id = coalesce(last_event, x.cursor_event_id),
           cursor_id = coalesce(last_id, x.cursor_id),
           status = case when seen < most or x.replayed + x.skipped + seen >= x.max_deliveries then 'completed'
                         else x.status end,
           finished_at = case when seen < most or x.replayed + x.skipped + seen >= x.max_deliveries then now() end
     where x.id = r.id;
    return coalesce(endpoints, '{}');
  end $$`;

/** Orders a run for one tenant or, without one, for all, and counts what it matches (its max at the most). */
const ORDER = `
  create function platform.ops_order_replay(p_run jsonb) returns platform.replay_run ${AS_OWNER} as $$
  declare
    made platform.replay_run;
  begin
    insert into replay_run (id, tenant_id, status, dry_run, statuses, module, event_type, from_at, to_at, max_deliveries,
                            operator, reason, per_second)
    select i.id, i.tenant_id, 'running', i.dry_run, i.statuses, i.module, i.event_type, i.from_at, i.to_at, i.max_deliveries,
           i.operator, i.reason, i.per_second
      from jsonb_to_record(p_run) as i(id uuid, tenant_id uuid, dry_run boolean, statuses text[], module text, event_type text,
                                       from_at timestamptz, to_at timestamptz, max_deliveries integer, operator text,
                                       reason text, per_second integer)
    returning * into made;
    perform count_replay(made.id);
    select * into strict made from replay_run where id = made.id;
    return made;
  end $$`;

/** Newest first: the tenants' own runs too. */
const LIST = `
  create function platform.ops_replays(p_id uuid, p_status text, p_before uuid, p_limit integer)
  returns table (run platform.replay_run, slug text) ${AS_OWNER} as $$
  begin
    return query
    select r, t.slug from replay_run r left join tenant t on t.id = r.tenant_id
     where (p_id is null or r.id = p_id) and (p_status is null or r.status = p_status)
       and (p_before is null or r.id < p_before)
     order by r.id desc limit p_limit;
  end $$`;

/**
 * Cancels a running run, or lets a cancelled one go on from where it stood. False when it is in another state than p_from;
 * null when there is none.
 */
const TURN = `
  create function platform.ops_turn_replay(p_id uuid, p_from text, p_to text) returns boolean ${AS_OWNER} as $$
  begin
    if (p_from, p_to) not in (('running', 'cancelled'), ('cancelled', 'running')) then
      raise exception 'a run does not go from % to %', p_from, p_to using errcode = 'invalid_parameter_value';
    end if;
    update replay_run r
       set status = p_to, finished_at = case when p_to = 'cancelled' then now() end, next_slice_at = now()
     where r.id = p_id and r.status = p_from and not r.dry_run;
    if found then
      return true;
    end if;
    return (select false from replay_run r where r.id = p_id);
  end $$`;

const GRANTS = `
  revoke all on function platform.ops_order_replay, platform.ops_replays, platform.ops_turn_replay from public;
  grant execute on function platform.ops_order_replay, platform.ops_replays, platform.ops_turn_replay to platform_app`;
