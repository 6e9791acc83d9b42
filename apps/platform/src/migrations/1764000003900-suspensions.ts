import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DELIVERIES_OF_ACTIVE_TENANTS } from './1764000003900-suspended-deliveries.sql.ts';

/** Tenants that operators suspend: no credential of theirs is accepted, and nothing is delivered for them (ADR 0178). */
export class Suspensions1764000003900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [COLUMN, STANDING, ANNOUNCE, SESSIONS, ...DELIVERIES_OF_ACTIVE_TENANTS, NOTIFY_OWNERS];
    for (const sql of [...statements, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

const COLUMN = `alter table platform.tenant add column suspended_at timestamptz(3)`;

/** Read with every credential, by each module for those that it knows itself. Null: there is no such tenant. */
const STANDING = `
  create function platform_v1.tenant_standing(p_tenant_id uuid) returns text
  language sql stable security definer set search_path = platform, pg_temp as $$
    select case when t.suspended_at is null then 'active' else 'suspended' end from tenant t where t.id = p_tenant_id
  $$`;

/** Processes remember the standing with the credential: every credential of the tenant is read again. */
const ANNOUNCE = `
  create trigger announce_standing after update of suspended_at on platform.tenant
    for each row when (old.suspended_at is distinct from new.suspended_at) execute function platform.announce_tenant()`;

/**
 * No session begins while the tenant is suspended, by any method: CN423 undoes what the sign-in used up. A sign-in has the lock of the
 * tenant's row (open_member_session), so it is before the suspension or refused.
 */
const SESSIONS = `
  create function platform.refuse_suspended_session() returns trigger ${AS_OWNER} as $$
  begin
    if platform_v1.tenant_standing(new.tenant_id) = 'suspended' then
      raise exception 'the tenant is suspended' using errcode = 'CN423';
    end if;
    return new;
  end $$;
  create trigger refuse_suspended before insert on platform.member_session
    for each row execute function platform.refuse_suspended_session();
  revoke all on function platform.refuse_suspended_session from public`;

/**
 * Queues a mail to each active owner, or to the owner's address while no owner has joined. p_detail: a JSON object; recipient and language
 * are added to it.
 */
const NOTIFY_OWNERS = `
  create function platform.notify_owners(p_tenant_id uuid, p_kind text, p_detail jsonb) returns void ${AS_OWNER} as $$
  begin
    perform require_tenant(p_tenant_id);
    with joined as (
      select m.email, m.locale from member m where m.tenant_id = p_tenant_id and m.role = 'owner' and m.status = 'active'
    ), recipient as (
      select email, locale from joined
      union all
      select t.owner_email, t.locale from tenant t where t.id = p_tenant_id and not exists (select from joined)
    )
    insert into owner_notice (tenant_id, kind, detail)
    select p_tenant_id, p_kind, (p_detail || jsonb_build_object('email', r.email, 'locale', r.locale))::text from recipient r;
  end $$`;

const GRANTS = `
  revoke all on function platform.notify_owners, platform_v1.tenant_standing from public;
  grant execute on function platform.notify_owners to platform_app;
  grant execute on function platform_v1.tenant_standing
    to platform_app, platform_owner, identity_app, identity_owner, compliance_app, compliance_owner, signing_app, signing_owner`;
