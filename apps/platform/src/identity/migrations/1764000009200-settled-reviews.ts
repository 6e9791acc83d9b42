import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What members were notified of a session is settled with its review (ADR 0254). */
export class SettledReviews1764000009200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SETTLE);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** The platform asks whose transaction it is, and sweeps are of no tenant. */
const SETTLE = `
  create function identity.settle_session_notifications() returns trigger
  language plpgsql security definer set search_path = identity, pg_temp as $$
  declare
    v_tenant constant text := coalesce(current_setting('app.tenant_id', true), '');
  begin
    perform set_config('app.tenant_id', new.tenant_id::text, true);
    perform platform_v1.settle_notifications(new.tenant_id, new.id, '{session_awaiting_approval}');
    perform set_config('app.tenant_id', v_tenant, true);
    return null;
  end $$;
  revoke all on function identity.settle_session_notifications from public;
  create trigger flow_session_settles after update on identity.flow_session
    for each row when (old.pending_approval and (not new.pending_approval or new.status <> 'manual_review'))
    execute function identity.settle_session_notifications()`;
