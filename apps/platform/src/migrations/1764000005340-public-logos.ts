import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The hosts of pages serve the logos of tenants themselves (ADR 0224): each may read what anybody may load from the platform. */
export class PublicLogos1764000005340 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [LOGO, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const LOGO = `
  create function platform_v1.public_logo(p_sha256 bytea) returns bytea
  language sql stable security definer set search_path = platform, pg_temp as $$
    select platform.public_logo(p_sha256)
  $$`;

const GRANTS = `
  revoke all on function platform_v1.public_logo from public;
  grant execute on function platform_v1.public_logo to signing_app`;
