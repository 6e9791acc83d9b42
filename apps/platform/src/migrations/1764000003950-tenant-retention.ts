import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The retention of a tenant, one row for all modules, which read it through platform_v1 (ADR 0179). */
export class TenantRetention1764000003950 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const table = tenantTable('platform', 'tenant_retention');
    for (const sql of [TABLE, table, READ, PUT, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Days; null: the default of the release. The minimum of compliance is the five years of SARLAFT. */
const TABLE = `
  create table platform.tenant_retention (
    tenant_id uuid primary key references platform.tenant,
    identity_image_days integer check (identity_image_days between 1 and 3650),
    identity_session_days integer check (identity_session_days between 1 and 3650),
    identity_legal_hold_days integer check (identity_legal_hold_days between 0 and 3650),
    compliance_blocked_days integer check (compliance_blocked_days between 1825 and 36500),
    signing_unsealed_envelope_days integer check (signing_unsealed_envelope_days between 1 and 3650),
    updated_at timestamptz(3) not null default now()
  )`;

const PERIODS = [
  'identity_image_days',
  'identity_session_days',
  'identity_legal_hold_days',
  'compliance_blocked_days',
  'signing_unsealed_envelope_days',
];
const TYPED = PERIODS.map((name) => `${name} integer`).join(', ');
const READABLE = PERIODS.map((name) => `r.${name}`).join(', ');

/** tenant_retention: of the transaction's own tenant. retention_periods: of every tenant that set any, for the sweeps of schema owners. */
const READ = `
  create function platform_v1.tenant_retention(p_tenant_id uuid) returns table (${TYPED})
  language plpgsql stable security definer set search_path = platform, pg_temp as $$
  begin
    perform require_tenant(p_tenant_id);
    return query select ${READABLE} from tenant_retention r where r.tenant_id = p_tenant_id;
  end $$;

  create function platform_v1.retention_periods() returns table (tenant_id uuid, ${TYPED})
  language sql stable security definer set search_path = platform, pg_temp as $$
    select r.tenant_id, ${READABLE} from tenant_retention r
  $$`;

/** A module sets its own periods: through the routes that it had before, and from the rows that it kept them in. */
const putPeriods = (module: string, names: string[]): string => {
  const columns = names.map((name) => `${module}_${name}`);
  return `
  create function platform_v1.put_${module}_retention(p_tenant_id uuid, ${names.map((name) => `p_${name} integer`).join(', ')})
  returns void language plpgsql volatile security definer set search_path = platform, pg_temp as $$
  begin
    perform require_tenant(p_tenant_id);
    insert into tenant_retention as r (tenant_id, ${columns.join(', ')})
    values (p_tenant_id, ${names.map((name) => `p_${name}`).join(', ')})
    on conflict (tenant_id) do update
       set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}, updated_at = now();
  end $$;`;
};

const PUT = [
  putPeriods('identity', ['image_days', 'session_days', 'legal_hold_days']),
  putPeriods('compliance', ['blocked_days']),
].join('\n');

const GRANTS = `
  revoke all on function platform_v1.tenant_retention, platform_v1.retention_periods, platform_v1.put_identity_retention,
    platform_v1.put_compliance_retention from public;
  grant execute on function platform_v1.tenant_retention to platform_app, identity_app, compliance_app;
  grant execute on function platform_v1.retention_periods to identity_owner, signing_owner;
  grant execute on function platform_v1.put_identity_retention to identity_app, identity_owner;
  grant execute on function platform_v1.put_compliance_retention to compliance_app, compliance_owner`;
