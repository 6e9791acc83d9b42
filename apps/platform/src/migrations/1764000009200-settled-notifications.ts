import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A notification whose matter is settled is not unread any more; reviews of identity notify second persons, too (ADR 0254). */
export class SettledNotifications1764000009200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SETTLED, SETTLE, SETTLE_OF_MODULE, ENDPOINTS, NOTIFY, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

const SETTLED = `
  alter table platform.member_notification add column settled_at timestamptz(3);
  drop index platform.member_notification_unread;
  create index member_notification_unread on platform.member_notification (member_id, id)
    where in_console and read_at is null and settled_at is null;
  create index member_notification_open on platform.member_notification (ref_id) where settled_at is null`;

const SETTLE = `
  create function platform.settle_notifications(p_tenant_id uuid, p_ref_id uuid, p_kinds text[]) returns void ${AS_OWNER} as $$
  begin
    update member_notification n set settled_at = now()
     where n.ref_id = p_ref_id and n.tenant_id = p_tenant_id and n.kind = any (p_kinds) and n.settled_at is null;
  end $$`;

/** For triggers of the other modules: each settles what it notifies of. */
const SETTLE_OF_MODULE = `
  create function platform_v1.settle_notifications(p_tenant_id uuid, p_ref_id uuid, p_kinds text[]) returns void ${AS_OWNER} as $$
  begin
    perform require_tenant(p_tenant_id);
    perform require_module(case when 'session_awaiting_approval' = any (p_kinds) then 'identity' else 'compliance' end);
    perform platform.settle_notifications(p_tenant_id, p_ref_id, p_kinds);
  end $$`;

/** An endpoint is enabled again by its tenant, an import, or operators; or it is deleted. */
const ENDPOINTS = `
  create function platform.settle_disabled() returns trigger ${AS_OWNER} as $$
  begin
    perform settle_notifications(old.tenant_id, old.id, '{endpoint_disabled}');
    return null;
  end $$;
  create trigger webhook_endpoint_settles after update of enabled on platform.webhook_endpoint
    for each row when (new.enabled and not old.enabled) execute function platform.settle_disabled();
  create trigger webhook_endpoint_settles_deleted after delete on platform.webhook_endpoint
    for each row execute function platform.settle_disabled()`;

/**
 * As before, and of a review of identity without a case: supervisors, or owners and admins while there is no other supervisor, or analysts
 * while there is none of these.
 */
const NOTIFY = `
  create or replace function platform_v1.notify_second_persons(
    p_tenant_id uuid, p_kind text, p_ref_id uuid, p_occasion text, p_member_id uuid, p_actor text, p_title text
  ) returns void ${AS_OWNER} as $$
  declare
    v_members uuid[];
  begin
    perform require_tenant(p_tenant_id);
    perform require_module(case p_kind when 'session_awaiting_approval' then 'identity' else 'compliance' end);
    if p_kind not in ('case_awaiting_approval', 'rules_awaiting_publication', 'session_awaiting_approval') then
      raise exception 'no such notification of a second person' using errcode = 'invalid_parameter_value';
    end if;
    select array_agg(c.id) into v_members
      from (select m.id, r.rank, min(r.rank) over () as first
              from member m
             cross join lateral (
               select case when p_kind = 'rules_awaiting_publication' or m.role = 'supervisor' then 1
                           when m.role = 'analyst' then 3 else 2 end as rank) r
             where m.tenant_id = p_tenant_id and m.status = 'active'
               and (m.role in ('owner', 'admin', 'supervisor') or p_kind = 'session_awaiting_approval' and m.role = 'analyst')
               and case when p_member_id is null then m.name is distinct from p_actor else m.id <> p_member_id end) c
     where c.rank = c.first;
    perform write_titled_notifications(p_kind, p_ref_id, p_ref_id || ' ' || p_occasion, v_members, v_members, p_title);
  end $$`;

const GRANTS = `
  revoke all on function platform.settle_notifications, platform.settle_disabled, platform_v1.settle_notifications from public;
  grant execute on function platform_v1.settle_notifications to compliance_owner, identity_owner;
  grant execute on function platform_v1.notify_second_persons to identity_app`;
