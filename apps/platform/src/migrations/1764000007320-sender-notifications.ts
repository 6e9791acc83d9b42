import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The member who sent an envelope is notified of how it ended; notifications say what they are about (ADR 0242). */
export class SenderNotifications1764000007320 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TITLE, WRITE_TITLED, WRITE, NOTIFY_OF_ENVELOPE, DISABLED, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** What it is about, in the tenant's own words about its work: the name of a circuit, the host of an endpoint. Never a person's data. */
const TITLE = `alter table platform.member_notification add column title text`;

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

/** As write_notifications was, with a title. The detail of a mail is the id alone where there is none. */
const WRITE_TITLED = `
  create function platform.write_titled_notifications(
    p_kind text, p_ref_id uuid, p_occasion text, p_members uuid[], p_mailed uuid[], p_title text
  ) returns void
  ${AS_OWNER} as $$
  begin
    with addressed as (
      select m.id, m.tenant_id, not p_kind = any (coalesce(s.console_off, '{}')) as in_console,
             m.id = any (p_mailed) and not p_kind = any (coalesce(s.mail_off, '{}')) as by_mail
        from member m left join notification_settings s on s.member_id = m.id
       where m.id = any (p_members) order by m.id
    ), written as (
      insert into member_notification (tenant_id, member_id, kind, ref_id, occasion, in_console, title)
      select a.tenant_id, a.id, p_kind, p_ref_id, p_occasion, a.in_console, left(p_title, 300)
        from addressed a where a.in_console or a.by_mail order by a.id
      on conflict (member_id, kind, occasion) do nothing returning member_id
    )
    insert into member_mail (kind, member_id, detail)
    select p_kind, a.id,
           case when p_title is null then p_ref_id::text else json_build_object('id', p_ref_id, 'title', left(p_title, 300))::text end
      from written w join addressed a on a.id = w.member_id
     where a.by_mail and (select count(*) from (select from member_notification n
                            where n.member_id = a.id and n.kind = p_kind and n.id > uuid_floor(now() - interval '1 hour') limit 20) x) < 20;
  end $$`;

const WRITE = `
  create or replace function platform.write_notifications(p_kind text, p_ref_id uuid, p_occasion text, p_members uuid[], p_mailed uuid[])
  returns void ${AS_OWNER} as $$
  begin
    perform write_titled_notifications(p_kind, p_ref_id, p_occasion, p_members, p_mailed, null);
  end $$`;

/** p_member_id: who sent it. They are notified while they are active and their role works on envelopes. */
const NOTIFY_OF_ENVELOPE = `
  create function platform_v1.notify_of_envelope(
    p_tenant_id uuid, p_kind text, p_envelope_id uuid, p_occasion text, p_member_id uuid, p_title text
  ) returns void ${AS_OWNER} as $$
  declare
    v_members uuid[];
  begin
    perform require_tenant(p_tenant_id);
    perform require_module('seal');
    if p_kind not in ('envelope_completed', 'envelope_declined', 'envelope_expired', 'envelope_failed', 'envelope_code_undelivered') then
      raise exception 'no such notification of an envelope' using errcode = 'invalid_parameter_value';
    end if;
    select array_agg(m.id) into v_members from member m
     where m.id = p_member_id and m.tenant_id = p_tenant_id and m.status = 'active'
       and m.role in ('owner', 'admin', 'developer', 'sender');
    perform write_titled_notifications(p_kind, p_envelope_id, p_envelope_id || ' ' || p_occasion, v_members, v_members, p_title);
  end $$`;

/** As before, with the host of the endpoint's address. */
const DISABLED = `
  create or replace function platform.announce_disabled(p_endpoint_id uuid, p_disabled_at timestamptz, p_event jsonb)
  returns boolean ${AS_OWNER} as $$
  declare
    v_tenant_id uuid;
    v_host text;
    v_members uuid[];
    v_mailed uuid[];
  begin
    update webhook_endpoint e set announced_at = now()
     where e.id = p_endpoint_id and date_trunc('milliseconds', e.disabled_at) = p_disabled_at
       and e.announced_at is null and e.disabled_reason is not null
    returning e.tenant_id, substring(e.url from '^https?://(?:[^/?#@]*@)?([^/?#]+)') into v_tenant_id, v_host;
    if not found then
      return false;
    end if;
    perform platform_v1.emit_events(jsonb_build_array(p_event));
    select array_agg(m.id), array_agg(m.id) filter (where lower(m.email) <> lower(t.owner_email)) into v_members, v_mailed
      from member m join tenant t on t.id = m.tenant_id
     where m.tenant_id = v_tenant_id and m.status = 'active' and m.role in ('owner', 'developer');
    perform write_titled_notifications('endpoint_disabled', p_endpoint_id,
      p_endpoint_id || ' ' || extract(epoch from p_disabled_at), v_members, v_mailed, v_host);
    return true;
  end $$`;

const GRANTS = `
  revoke all on function platform.write_titled_notifications, platform_v1.notify_of_envelope from public;
  grant execute on function platform_v1.notify_of_envelope to signing_owner`;
