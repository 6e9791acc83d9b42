import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subjects of tenants that were closed: they are erased, and with them their open sessions end (ADR 0190). */
export class IdentityClosedTenants1764000004500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [KEPT, OF_CLOSED, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const KEPT = 'create index subject_kept on identity.subject (tenant_id) where erased_at is null';

const OF_CLOSED = `
  create function identity.subjects_of_closed(p_limit integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select s.tenant_id, s.id from platform_v1.closed_tenants() c join subject s on s.tenant_id = c.tenant_id
     where s.erased_at is null
     limit p_limit
  $$`;

const GRANTS = `
  revoke all on function identity.subjects_of_closed from public;
  grant execute on function identity.subjects_of_closed to identity_app`;
