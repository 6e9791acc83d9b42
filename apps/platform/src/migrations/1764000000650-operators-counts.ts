import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs are counted for operators, too, whose transactions belong to no tenant; tenants count only their own. */
export class OperatorsCounts1764000000650 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COUNT_RUN, COUNT, ORDER]) await runner.query(sql);
    await runner.query('revoke all on function platform.count_replay_run from public');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql security definer set search_path = platform, pg_temp';

/** Counts what a run matches, its limit at most, and stores the figure. Not granted: who may is for the callers to say. */
const COUNT_RUN = `
  create function platform.count_replay_run(r platform.replay_run) returns integer ${AS_OWNER} as $$
  declare
    found_deliveries integer;
  begin
    if r.missing then
      select count(*) into found_deliveries from missing_deliveries(r, replay_begin(r), replay_end(r), r.max_deliveries);
    else
      select count(*) into found_deliveries from replay_matching(r, r.max_deliveries);
    end if;
    update replay_run set matched = found_deliveries,
           status = case when dry_run or found_deliveries = 0 then 'completed' else status end,
           finished_at = case when dry_run or found_deliveries = 0 then now() end
     where id = r.id;
    return found_deliveries;
  end $$`;

const COUNT = `
  create or replace function platform.count_replay(p_run_id uuid) returns integer ${AS_OWNER} as $$
  declare
    r platform.replay_run;
  begin
    select * into strict r from replay_run where id = p_run_id;
    perform require_tenant(r.tenant_id);
    return count_replay_run(r);
  end $$`;

/** As before. */
const ORDER = `
  create or replace function platform.ops_order_replay(p_run jsonb) returns platform.replay_run ${AS_OWNER} as $$
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
    perform count_replay_run(made);
    select * into strict made from replay_run where id = made.id;
    return made;
  end $$`;
