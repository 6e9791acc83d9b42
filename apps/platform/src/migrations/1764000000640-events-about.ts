import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For operators: the events of a tenant that are about a thing, from the time of its id on. */
export class EventsAbout1764000000640 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ABOUT);
    await runner.query('revoke all on function platform.ops_events_about from public');
    await runner.query('grant execute on function platform.ops_events_about to platform_app');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Looks at the first p_most events of the tenant since p_from; no body leaves it. */
const ABOUT = `
  create function platform.ops_events_about(p_tenant_id uuid, p_id text, p_from uuid, p_most integer)
  returns table (event_id uuid, module text, event_type text, occurred_at timestamptz)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select v.event_id, v.module, v.event_type, v.occurred_at
      from (select e.event_id, e.module, e.event_type, e.occurred_at, e.body from event e
             where e.tenant_id = p_tenant_id and e.event_id >= p_from order by e.event_id limit p_most) v
     where strpos(v.body, '"' || p_id || '"') > 0
     order by v.event_id limit 50
  $$`;
