import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { noteLowBalance } from './1764000003110-low-balance.ts';
import { CLOSED_TENANTS } from './1764000004500-closed-tenants.sql.ts';

/** Tenants that an owner closes: thirty days in which it can be reconsidered, then the end (ADR 0190). */
export class Closings1764000004500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const table = tenantTable('platform', 'tenant_closing', ['select', 'insert', 'update', 'delete']);
    for (const sql of [CLOSING, table, STANDING, ANNOUNCE, LOW_BALANCE, DUE, OPERATORS, ...CLOSED_TENANTS, GRANTS])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * The only state: no row, nothing is being closed; closed_at: the tenant is closed for good. requested_by: the member, who is removed at the
 * end. credits_left, credits_held: at the end.
 */
const CLOSING = `
  create table platform.tenant_closing (
    tenant_id uuid primary key references platform.tenant,
    requested_at timestamptz(3) not null,
    requested_by uuid not null,
    requested_by_name text not null,
    reason text,
    closes_at timestamptz(3) not null,
    reminded_at timestamptz(3),
    closed_at timestamptz(3),
    credits_left bigint,
    credits_held bigint
  );
  create index tenant_closing_due on platform.tenant_closing (closes_at) where closed_at is null;
  create index tenant_closing_closed on platform.tenant_closing (tenant_id) where closed_at is not null`;

/**
 * As before. A suspension is the stricter of the two while the time to reconsider runs; what is closed stays so. closed_tenants: for the
 * sweeps of schema owners.
 */
const STANDING = `
  create or replace function platform_v1.tenant_standing(p_tenant_id uuid) returns text
  language sql stable security definer set search_path = platform, pg_temp as $$
    select case when c.closed_at is not null then 'closed'
                when t.suspended_at is not null then 'suspended'
                when c.tenant_id is not null then 'closing'
                else 'active' end
      from tenant t left join tenant_closing c on c.tenant_id = t.id where t.id = p_tenant_id
  $$;

  create function platform_v1.closed_tenants() returns table (tenant_id uuid)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select c.tenant_id from tenant_closing c where c.closed_at is not null
  $$`;

/** Processes remember the standing with the credential: every credential of the tenant is read again. */
const ANNOUNCE = `
  create function platform.announce_closing() returns trigger
  language plpgsql volatile security definer set search_path = platform, pg_temp as $$
  begin
    perform announce_credentials(coalesce(new.tenant_id, old.tenant_id));
    return null;
  end $$;
  create trigger announce after insert or delete or update of closed_at on platform.tenant_closing
    for each row execute function platform.announce_closing();
  revoke all on function platform.announce_closing from public`;

/** As before; the event is emitted, and no mail asks a tenant that is being closed, or is closed, to buy credits. */
const LOW_BALANCE = noteLowBalance('not exists (select from tenant_closing c where c.tenant_id = new.tenant_id)');

/**
 * What the sweep finds, across tenants. Those that operators have suspended wait: what is under examination is not destroyed.
 * remind_closing: queues the reminder once; true when it did.
 */
const DUE = `
  create function platform.closings_due(p_limit integer) returns table (tenant_id uuid)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select c.tenant_id from tenant_closing c join tenant t on t.id = c.tenant_id
     where c.closed_at is null and c.closes_at <= now() and t.suspended_at is null
     order by c.closes_at limit p_limit
  $$;

  create function platform.closings_to_remind(p_days integer, p_limit integer) returns table (tenant_id uuid)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select c.tenant_id from tenant_closing c join tenant t on t.id = c.tenant_id
     where c.closed_at is null and c.reminded_at is null and c.closes_at <= now() + make_interval(days => p_days)
       and c.closes_at > now() and t.suspended_at is null
     order by c.closes_at limit p_limit
  $$;

  create function platform.remind_closing(p_tenant_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = platform, pg_temp as $$
  declare
    v_closing tenant_closing;
  begin
    perform require_tenant(p_tenant_id);
    update tenant_closing c set reminded_at = now()
     where c.tenant_id = p_tenant_id and c.closed_at is null and c.reminded_at is null and c.closes_at > now()
    returning * into v_closing;
    if not found then
      return false;
    end if;
    perform notify_owners(p_tenant_id, 'tenant_closing_reminder', jsonb_build_object('closes_at', v_closing.closes_at));
    return true;
  end $$;

  create function platform.closing_lag() returns double precision
  language sql stable security definer set search_path = platform, pg_temp as $$
    select coalesce(extract(epoch from now() - min(c.closes_at)), 0)::double precision
      from tenant_closing c join tenant t on t.id = c.tenant_id
     where c.closed_at is null and c.closes_at <= now() and t.suspended_at is null
  $$`;

/** How a tenant stands, since when (null: active), and its closing. One row. */
const OPERATORS = `
  create function platform.ops_standing(p_tenant_id uuid)
  returns table (standing text, since timestamptz, requested_at timestamptz, requested_by_name text, reason text, closes_at timestamptz,
                 closed_at timestamptz, credits_left bigint, credits_held bigint)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select s.standing,
           case s.standing when 'suspended' then t.suspended_at when 'closing' then c.requested_at when 'closed' then c.closed_at end,
           c.requested_at, c.requested_by_name, c.reason, c.closes_at, c.closed_at, c.credits_left, c.credits_held
      from tenant t cross join lateral (select platform_v1.tenant_standing(t.id) as standing) s
      left join tenant_closing c on c.tenant_id = t.id
     where t.id = p_tenant_id
  $$`;

const FUNCTIONS = `platform.closings_due, platform.closings_to_remind, platform.remind_closing, platform.closing_lag,
  platform.ops_standing, platform.close_tenant`;

const GRANTS = `
  revoke all on function ${FUNCTIONS}, platform_v1.closed_tenants from public;
  grant execute on function ${FUNCTIONS} to platform_app;
  grant execute on function platform_v1.closed_tenants to identity_owner, signing_owner, compliance_owner`;
