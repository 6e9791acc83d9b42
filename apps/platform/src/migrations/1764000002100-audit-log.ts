import { type ChainedTable, hashChain } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was changed in the name of a tenant, and by whom: one chain per tenant, written by every module in the transaction of the change
 * itself (platform_v1.record_audit).
 */
export const AUDIT_LOG: ChainedTable = {
  schema: 'platform',
  table: 'audit_entry',
  owner: 'tenant_id',
  members: ['module', 'actor_kind', 'actor_id', 'actor_name', 'on_behalf_of', 'object_kind', 'object_id', 'origin'],
};

export class AuditLog1764000002100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [hashChain(AUDIT_LOG), INDEXES, CALLING_MODULE, RECORD_AUDIT, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** Pages are in the order of seq; the filters of the list have an index in that order. */
const INDEXES = `
  create index audit_entry_at on platform.audit_entry (tenant_id, at, seq);
  create index audit_entry_type on platform.audit_entry (tenant_id, type, seq);
  create index audit_entry_actor on platform.audit_entry (tenant_id, actor_id, seq);
  create index audit_entry_object on platform.audit_entry (tenant_id, object_id, seq)`;

/** The module of the role that is logged in (acts_for). Administrators act for the platform. */
const CALLING_MODULE = `
  create function platform.calling_module() returns text language sql stable as $$
    select m.module from unnest(array['platform', 'identity', 'compliance', 'seal']) with ordinality as m(module, nth)
     where platform.acts_for(m.module) order by m.nth limit 1
  $$`;

/** p_entry: the members of the chain but the module, and data as canonical JSON. Entries of a tenant wait for each other until commit. */
const RECORD_AUDIT = `
  create function platform_v1.record_audit(p_tenant_id uuid, p_type text, p_entry jsonb)
  returns table (seq int, hash text)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    entry platform.audit_entry;
  begin
    perform require_tenant(p_tenant_id);
    if p_type is null or p_type !~ '^[a-z_]+[.][a-z_]+$' or length(p_type) > 64
       or coalesce(p_entry ->> 'actor_kind', '') not in ('key', 'member', 'system')
       or coalesce(p_entry ->> 'actor_name', '') = '' or coalesce(p_entry ->> 'object_kind', '') = '' then
      raise exception 'an audit entry has a type, an actor and an object' using errcode = 'invalid_parameter_value';
    end if;
    if calling_module() is null then
      raise exception 'the role % acts for no module', calling_role() using errcode = 'CN403';
    end if;
    entry := append_audit_entry(p_tenant_id, p_tenant_id,
      p_entry || jsonb_build_object('type', p_type, 'module', calling_module()));
    return query select entry.seq, entry.hash;
  end $$`;

const GRANTS = `
  revoke all on function platform.calling_module, platform_v1.record_audit from public;
  grant execute on function platform_v1.record_audit to platform_app, identity_app, compliance_app, signing_app`;
