import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators name a tenant to every module, by its slug or its id (ADR 0257). */
export class TenantsByName1764000009400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TENANT_NAMED, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const TENANT_NAMED = `
  create function platform_v1.tenant_named(p_name text) returns table (id uuid, slug text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.id, t.slug from tenant t
     where t.slug = p_name
        or t.id = case when p_name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_name::uuid end
  $$`;

const GRANTS = `
  revoke all on function platform_v1.tenant_named from public;
  grant execute on function platform_v1.tenant_named
    to platform_app, platform_owner, signing_app, signing_owner, compliance_app, compliance_owner`;
