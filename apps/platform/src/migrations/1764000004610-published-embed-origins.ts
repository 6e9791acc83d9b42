import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The origins that may hold frames of a tenant, for the modules that show pages in them. Null: the tenant registered none. */
const EMBED_ORIGINS = `
  create function platform_v1.embed_origins(p_tenant_id uuid) returns text[]
  language sql stable security definer set search_path = platform, pg_temp as $$
    select o.origins from embed_origins o where o.tenant_id = p_tenant_id
  $$`;

const GRANTS = `
  revoke all on function platform_v1.embed_origins from public;
  grant execute on function platform_v1.embed_origins to identity_app, signing_app`;

export class PublishedEmbedOrigins1764000004610 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [EMBED_ORIGINS, GRANTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function platform_v1.embed_origins');
  }
}
