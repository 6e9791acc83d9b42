import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the nth latest export of the calling module began, by the tenant's audit log, which nothing is taken out of; null: there were fewer. */
const EXPORT_STARTED_AT = `
  create function platform_v1.export_started_at(p_tenant_id uuid, p_nth int) returns timestamptz
  language plpgsql stable security definer set search_path = platform, pg_temp as $$
  begin
    perform require_tenant(p_tenant_id);
    return (select e.at from platform.audit_entry e
             where e.tenant_id = p_tenant_id and e.type = 'tenant_export.started' and e.module = calling_module()
             order by e.seq desc offset p_nth - 1 limit 1);
  end $$`;

const GRANTS = `
  revoke all on function platform_v1.export_started_at from public;
  grant execute on function platform_v1.export_started_at to platform_app, compliance_app, signing_app`;

export class TenantExports1764000004600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [EXPORT_STARTED_AT, GRANTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function platform_v1.export_started_at');
  }
}
