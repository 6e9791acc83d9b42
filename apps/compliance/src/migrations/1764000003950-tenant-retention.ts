import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Retention is a setting of the tenant, kept by the platform (ADR 0179). No release has had the column that goes. */
export class ComplianceTenantRetention1764000003950 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CARRY_OVER, 'alter table compliance.tenant_settings drop column retention_days'])
      await runner.query(sql);
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
    for s in select * from compliance.tenant_settings where retention_days <> 1825 loop
      perform set_config('app.tenant_id', s.tenant_id::text, true);
      perform platform_v1.put_compliance_retention(s.tenant_id, s.retention_days);
    end loop;
    perform set_config('app.tenant_id', '', true);
  end $$`;
