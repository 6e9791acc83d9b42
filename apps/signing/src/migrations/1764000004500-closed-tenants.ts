import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Open envelopes of tenants that were closed: they are voided (ADR 0190). */
export class ClosedTenants1764000004500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [OF_CLOSED, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const OF_CLOSED = `
  create function signing.envelopes_of_closed(p_limit integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select e.tenant_id, e.id from platform_v1.closed_tenants() c join envelope e on e.tenant_id = c.tenant_id
     where e.status in ('sent', 'in_progress')
     limit p_limit
  $$`;

const GRANTS = `
  revoke all on function signing.envelopes_of_closed from public;
  grant execute on function signing.envelopes_of_closed to signing_app`;
