import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People of tenants that were closed: what compliance keeps of them is blocked (ADR 0190). */
export class ComplianceClosedTenants1764000004500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [OF_CLOSED, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Everybody who was screened has a key in use until an erasure closes it: subject_key_in_use finds them. */
const OF_CLOSED = `
  create function compliance.subjects_of_closed(p_limit integer) returns table (tenant_id uuid, subject_ref text)
  language sql stable security definer set search_path = compliance, pg_temp as $$
    select k.tenant_id, k.ref from platform_v1.closed_tenants() c join subject_key k on k.tenant_id = c.tenant_id
     where k.closed_at is null and k.ref is not null
     limit p_limit
  $$`;

const GRANTS = `
  revoke all on function compliance.subjects_of_closed from public;
  grant execute on function compliance.subjects_of_closed to compliance_app`;
