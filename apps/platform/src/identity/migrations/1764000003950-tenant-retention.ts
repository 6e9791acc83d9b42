import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Retention is a setting of the tenant, kept by the platform (ADR 0179). What tenant_settings has is carried over, and so is what processes
 * of the release before write to it; nothing else reads or writes that table any more.
 */
export class IdentityTenantRetention1764000003950 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CARRY, CARRY_OVER, RETIRE]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const CARRY_OVER = `
  do $$
  declare
    s record;
  begin
    for s in select * from identity.tenant_settings loop
      perform set_config('app.tenant_id', s.tenant_id::text, true);
      perform platform_v1.put_identity_retention(s.tenant_id, s.image_retention_days, s.session_retention_days, s.legal_hold_days);
    end loop;
    perform set_config('app.tenant_id', '', true);
  end $$`;

const CARRY = `
  create function identity.carry_retention() returns trigger language plpgsql set search_path = identity, pg_temp as $$
  begin
    perform platform_v1.put_identity_retention(
      new.tenant_id, new.image_retention_days, new.session_retention_days, new.legal_hold_days);
    return null;
  end $$;
  revoke all on function identity.carry_retention from public;
  create trigger carry_retention after insert or update on identity.tenant_settings
    for each row execute function identity.carry_retention()`;

/** As before, by the tenant's retention. */
const RETIRE = `
  create or replace function identity.retire_assets(p_limit integer, p_default_days integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select a.id from asset a left join platform_v1.retention_periods() r on r.tenant_id = a.tenant_id
       where a.status = 'stored'
         and a.stored_at <= now() - make_interval(days => coalesce(r.identity_image_days, p_default_days))
       order by a.stored_at limit p_limit for update of a skip locked
    ), ended as (
      update asset a set status = 'deleting', delete_reason = 'retention', lease_until = null
        from due where a.id = due.id returning 1
    )
    select count(*)::integer from ended
  $$`;
