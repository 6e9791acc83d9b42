import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replay runs: counting, carrying out slice by slice. */
export class Replays1763700000220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [MATCHING, COUNT, CLAIM, SLICE]) await runner.query(sql);
    await runner.query(`
      revoke all on function platform.replay_matching, platform.count_replay, platform.claim_replay, platform.replay_slice
        from public;
      grant execute on function platform.count_replay, platform.claim_replay, platform.replay_slice to platform_app`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql security definer set search_path = platform, pg_temp';

/**
 * Deliveries that a run has still ahead of it, in its order. A delivery that came after the run was ordered is none of its
 * business. Failed ones alone are found through their own index.
 */
const MATCHING = `
  create function platform.replay_matching(r platform.replay_run, p_limit integer)
  returns table (event_id uuid, id uuid, endpoint_id uuid) ${AS_OWNER} as $$
  begin
    return query execute format($q$
      select d.event_id, d.id, d.endpoint_id from platform.delivery d
       where d.tenant_id = $1 and d.status = any ($2) and (d.event_id, d.id) > ($3, $4)
         and d.event_id >= $5 and d.event_id < $6 and ($7 is null or d.module = $7) and ($8 is null or d.event_type = $8)
         and d.created_at <= $9 %s
       order by d.event_id, d.id limit $10 $q$,
      case when r.statuses = '{failed}' then 'and d.failed_at is not null' else '' end)
    using r.tenant_id, r.statuses, r.cursor_event_id, r.cursor_id,
          coalesce(platform.uuid_floor(r.from_at), '00000000-0000-0000-0000-000000000000'),
          coalesce(platform.uuid_floor(r.to_at), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
          r.module, r.event_type, r.created_at, p_limit;
  end $$`;

/** Counts what a run of the transaction's own tenant matches, its limit at the most, and stores the figure. */
const COUNT = `
  create function platform.count_replay(p_run_id uuid) returns integer ${AS_OWNER} as $$
  declare
    r platform.replay_run;
    found_deliveries integer;
  begin
    select * into strict r from replay_run where id = p_run_id;
    perform require_tenant(r.tenant_id);
    select count(*) into found_deliveries from replay_matching(r, r.max_deliveries);
    update replay_run set matched = found_deliveries,
           status = case when dry_run or found_deliveries = 0 then 'completed' else status end,
           finished_at = case when dry_run or found_deliveries = 0 then now() end
     where id = p_run_id;
    return found_deliveries;
  end $$`;

/**
 * The running replay whose next slice is due for longest, or null. Its turn after this one is p_pause_ms later, whichever
 * process takes it, and whatever becomes of this one: a slice that fails again and again must not keep the others waiting.
 */
const CLAIM = `
  create function platform.claim_replay(p_pause_ms integer) returns uuid ${AS_OWNER} as $$
  declare
    claimed uuid;
  begin
    update replay_run r set next_slice_at = now() + p_pause_ms * interval '1 millisecond'
     where r.id = (select x.id from replay_run x
                    where x.status = 'running' and x.next_slice_at <= now()
                    order by x.next_slice_at limit 1 for update skip locked)
    returning r.id into claimed;
    return claimed;
  end $$`;

/**
 * Carries out one slice of a running replay: puts up to p_limit deliveries back in line and moves the run's cursor, in one
 * transaction; so a run stopped at any point goes on where it was. Nothing happens while another process is at it.
 * Deliveries whose endpoint is gone or disabled are skipped and counted. Answers the endpoints to wake.
 */
const SLICE = `
  create function platform.replay_slice(p_run_id uuid, p_limit integer) returns uuid[] ${AS_OWNER} as $$
  declare
    r platform.replay_run;
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
    with slice as materialized (
      select m.*, row_number() over (order by m.event_id, m.id) as nth
        from replay_matching(r, least(p_limit, r.max_deliveries - r.replayed - r.skipped)) m
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
           status = case when seen < least(p_limit, r.max_deliveries - r.replayed - r.skipped)
                           or x.replayed + x.skipped + seen >= x.max_deliveries then 'completed' else x.status end,
           finished_at = case when seen < least(p_limit, r.max_deliveries - r.replayed - r.skipped)
                           or x.replayed + x.skipped + seen >= x.max_deliveries then now() end
     where x.id = r.id;
    return coalesce(endpoints, '{}');
  end $$`;
