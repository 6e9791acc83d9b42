import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Members learn that something waits for a second person: a proposed decision, or a draft of rules (ADR 0249). */
export class SecondPersonNotifications1764000009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [NOTIFY, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * Of a proposed decision: supervisors, or owners and admins while there is no other supervisor. Of a draft: everyone who may publish
 * rules. Never who acted first: p_member_id, or, when that was no member, a member with the name p_actor.
 */
const NOTIFY = `
  create function platform_v1.notify_second_persons(
    p_tenant_id uuid, p_kind text, p_ref_id uuid, p_occasion text, p_member_id uuid, p_actor text, p_title text
  ) returns void language plpgsql volatile security definer set search_path = platform, pg_temp as $$
  declare
    v_members uuid[];
  begin
    perform require_tenant(p_tenant_id);
    perform require_module('compliance');
    if p_kind not in ('case_awaiting_approval', 'rules_awaiting_publication') then
      raise exception 'no such notification of a second person' using errcode = 'invalid_parameter_value';
    end if;
    select array_agg(c.id) into v_members
      from (select m.id, r.rank, min(r.rank) over () as first
              from member m
             cross join lateral (
               select case when p_kind = 'case_awaiting_approval' and m.role <> 'supervisor' then 2 else 1 end as rank) r
             where m.tenant_id = p_tenant_id and m.status = 'active' and m.role in ('owner', 'admin', 'supervisor')
               and case when p_member_id is null then m.name is distinct from p_actor else m.id <> p_member_id end) c
     where c.rank = c.first;
    perform write_titled_notifications(p_kind, p_ref_id, p_ref_id || ' ' || p_occasion, v_members, v_members, p_title);
  end $$`;

const GRANTS = `
  revoke all on function platform_v1.notify_second_persons from public;
  grant execute on function platform_v1.notify_second_persons to compliance_app`;
