import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a tenant calls itself before people who have no key: signers, and whoever verifies a document. Nothing else of it. */
export class TenantProfile1763700000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [TENANT_PROFILE, GRANTS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function platform_v1.tenant_profile');
  }
}

const TENANT_PROFILE = `
  create function platform_v1.tenant_profile(p_tenant_id uuid) returns table (display_name text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.display_name from platform.tenant t where t.id = p_tenant_id
  $$`;

const GRANTS = `
  revoke all on function platform_v1.tenant_profile from public;
  grant execute on function platform_v1.tenant_profile to signing_app, signing_owner`;
