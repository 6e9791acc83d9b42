import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * forgotten_at: when the personal data of an envelope that ended without a seal was erased, because its tenant's retention was over (ADR 0179).
 */
export class EnvelopeRetention1764000003950 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMN, DUE, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const ENDED_UNSEALED = "status in ('declined', 'voided', 'expired', 'failed')";

const COLUMN = `
  alter table signing.envelope add column forgotten_at timestamptz;
  create index envelope_unsealed on signing.envelope (tenant_id, ended_at) where ${ENDED_UNSEALED} and forgotten_at is null`;

/** Envelopes of any tenant whose retention is over, the longest over first. Tenants without a period have none. */
const DUE = `
  create function signing.envelopes_to_forget(p_limit integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select e.tenant_id, e.id from platform_v1.retention_periods() r join envelope e on e.tenant_id = r.tenant_id
     where e.${ENDED_UNSEALED} and e.forgotten_at is null
       and e.ended_at <= now() - make_interval(days => r.signing_unsealed_envelope_days)
     order by e.ended_at limit p_limit
  $$`;

const GRANTS = `
  revoke all on function signing.envelopes_to_forget from public;
  grant execute on function signing.envelopes_to_forget to signing_app`;
