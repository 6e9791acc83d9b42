import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What members are notified of, in the console and by mail, and what they have switched off (ADR 0226). */
export class MemberNotifications1764000005420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      NOTIFICATION,
      tenantTable('platform', 'member_notification', ['select']),
      'grant update (read_at) on platform.member_notification to platform_app',
      SETTINGS,
      tenantTable('platform', 'notification_settings'),
      WRITE,
      NOTIFY_OF_CASE,
      DISABLED,
      LOW_BALANCE,
      SWEEP,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** in_console false: the member has switched that off, and gets the mail alone. */
const NOTIFICATION = `
  create table platform.member_notification (
    id uuid primary key default platform.uuid_v7(),
    tenant_id uuid not null references platform.tenant,
    member_id uuid not null references platform.member on delete cascade,
    kind text not null check (kind ~ '^[a-z]+(_[a-z]+)*$'),
    ref_id uuid,
    occasion text not null,
    in_console boolean not null,
    created_at timestamptz(3) not null default now(),
    read_at timestamptz(3),
    unique (member_id, kind, occasion)
  );
  create index member_notification_of on platform.member_notification (member_id, id) where in_console;
  create index member_notification_unread on platform.member_notification (member_id, id) where in_console and read_at is null;
  create index member_notification_recent on platform.member_notification (member_id, kind, id)`;

const SETTINGS = `
  create table platform.notification_settings (
    member_id uuid primary key references platform.member on delete cascade,
    tenant_id uuid not null references platform.tenant,
    mail_off text[] not null,
    console_off text[] not null
  )`;

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

/**
 * Notifies members once of an occasion, in the order of their ids. Of one kind a member gets 20 mails within an hour at most: what many
 * cases bring about at once is in the console. p_mailed: who of them gets mails by this function.
 */
const WRITE = `
  create function platform.write_notifications(p_kind text, p_ref_id uuid, p_occasion text, p_members uuid[], p_mailed uuid[]) returns void
  ${AS_OWNER} as $$
  begin
    with addressed as (
      select m.id, m.tenant_id, not p_kind = any (coalesce(s.console_off, '{}')) as in_console,
             m.id = any (p_mailed) and not p_kind = any (coalesce(s.mail_off, '{}')) as by_mail
        from member m left join notification_settings s on s.member_id = m.id
       where m.id = any (p_members) order by m.id
    ), written as (
      insert into member_notification (tenant_id, member_id, kind, ref_id, occasion, in_console)
      select a.tenant_id, a.id, p_kind, p_ref_id, p_occasion, a.in_console from addressed a where a.in_console or a.by_mail order by a.id
      on conflict (member_id, kind, occasion) do nothing returning member_id
    )
    insert into member_mail (kind, member_id, detail)
    select p_kind, a.id, p_ref_id from written w join addressed a on a.id = w.member_id
     where a.by_mail and (select count(*) from (select from member_notification n
                            where n.member_id = a.id and n.kind = p_kind and n.id > uuid_floor(now() - interval '1 hour') limit 20) x) < 20;
  end $$`;

/**
 * Who is told of a case: its assignee, by the name of the member; of an escalation the supervisors, as of an overdue case that no member
 * has; owners and admins while there is no supervisor. Nobody of what they did themselves. p_occasion: what makes it one of its kind.
 */
const NOTIFY_OF_CASE = `
  create function platform_v1.notify_of_case(
    p_tenant_id uuid, p_kind text, p_case_id uuid, p_occasion text, p_assignee text, p_actor text
  ) returns void ${AS_OWNER} as $$
  declare
    v_members uuid[];
  begin
    perform require_tenant(p_tenant_id);
    perform require_module('compliance');
    if p_kind not in ('case_assigned', 'case_escalated', 'case_due_soon', 'case_overdue') then
      raise exception 'no such notification of a case' using errcode = 'invalid_parameter_value';
    end if;
    select array_agg(c.id) into v_members
      from (select m.id, r.rank, min(r.rank) over () as first
              from member m
             cross join lateral (
               select case when p_kind <> 'case_escalated' and m.name = p_assignee then 1
                           when p_kind not in ('case_escalated', 'case_overdue') then null
                           when m.role = 'supervisor' then 2
                           when m.role in ('owner', 'admin') then 3 end as rank) r
             where m.tenant_id = p_tenant_id and m.status = 'active' and m.role in ('owner', 'admin', 'analyst', 'supervisor')
               and m.name is distinct from p_actor and r.rank is not null) c
     where c.rank = c.first;
    perform write_notifications(p_kind, p_case_id, p_case_id || ' ' || p_occasion, v_members, v_members);
  end $$`;

/**
 * As before, and developers and owners are notified. The owner's address gets the dispatcher's mail, unless its member has switched that off:
 * claim_disabled_notices then answers owner_email null.
 */
const DISABLED = `
  create or replace function platform.announce_disabled(p_endpoint_id uuid, p_disabled_at timestamptz, p_event jsonb)
  returns boolean ${AS_OWNER} as $$
  declare
    v_tenant_id uuid;
    v_members uuid[];
    v_mailed uuid[];
  begin
    update webhook_endpoint e set announced_at = now()
     where e.id = p_endpoint_id and date_trunc('milliseconds', e.disabled_at) = p_disabled_at
       and e.announced_at is null and e.disabled_reason is not null
    returning e.tenant_id into v_tenant_id;
    if not found then
      return false;
    end if;
    perform platform_v1.emit_events(jsonb_build_array(p_event));
    select array_agg(m.id), array_agg(m.id) filter (where lower(m.email) <> lower(t.owner_email)) into v_members, v_mailed
      from member m join tenant t on t.id = m.tenant_id
     where m.tenant_id = v_tenant_id and m.status = 'active' and m.role in ('owner', 'developer');
    perform write_notifications('endpoint_disabled', p_endpoint_id, p_endpoint_id || ' ' || extract(epoch from p_disabled_at), v_members, v_mailed);
    return true;
  end $$;

  create or replace function platform.claim_disabled_notices(p_limit integer)
  returns table (endpoint_id uuid, tenant_id uuid, module text, url text, disabled_reason text, disabled_at timestamptz,
                 first_failure_at timestamptz, announced boolean, owner_email text, display_name text, locale text)
  ${AS_OWNER} as $$
  begin
    return query
    with taken as (
      update webhook_endpoint e set notice_due_at = now() + interval '1 minute'
       where e.id in (select x.id from webhook_endpoint x where x.notice_due_at <= now()
                       order by x.notice_due_at limit p_limit for update skip locked)
      returning e.*
    )
    select t.id, t.tenant_id, coalesce(t.module, t.modules[1]), t.url, t.disabled_reason, t.disabled_at, t.first_failure_at,
           t.announced_at is not null,
           case when not mails_off(t.tenant_id, n.owner_email, 'endpoint_disabled') then n.owner_email end, n.display_name, n.locale
      from taken t join tenant n on n.id = t.tenant_id;
  end $$;

  create function platform.mails_off(p_tenant_id uuid, p_email text, p_kind text) returns boolean
  language sql stable security definer set search_path = platform, pg_temp as $$
    select exists (select from member m join notification_settings s on s.member_id = m.id
                    where m.tenant_id = p_tenant_id and lower(m.email) = lower(p_email) and p_kind = any (s.mail_off))
  $$`;

/**
 * As before, and those who are mailed are notified in the console. The account's row is locked here: what is written locks no row but, by
 * foreign keys and against their deletion alone, those of members and of the tenant, whose deletion needs no account.
 */
const LOW_BALANCE = `
  create or replace function platform.note_low_balance() returns trigger
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    v_id constant uuid := uuid_v7();
    v_at constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  begin
    perform write_event(v_id, new.tenant_id, 'billing', 'credits.balance.low', v_at, format(
      '{"event_id":"%s","tenant_id":"%s","module":"billing","event_type":"credits.balance.low","occurred_at":"%s",'
        '"payload":{"balance_after":%s,"low_balance_threshold":%s}}',
      v_id, new.tenant_id, to_char(v_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), new.available, new.low_balance_threshold
    ), null);
    if new.low_balance_notify and coalesce(new.low_balance_mailed_at < now() - interval '1 hour', true)
       and not exists (select from tenant_closing c where c.tenant_id = new.tenant_id) then
      insert into owner_notice (tenant_id, kind, detail)
      select new.tenant_id, 'balance_low',
             json_build_object('email', r.email, 'locale', r.locale, 'balance_after', new.available,
                               'low_balance_threshold', new.low_balance_threshold)::text
        from billing_recipients(new.tenant_id) r where not mails_off(new.tenant_id, r.email, 'balance_low');
      perform write_notifications('balance_low', null, v_id::text, array(
        select m.id from member m where m.tenant_id = new.tenant_id and m.status = 'active' and m.role in ('owner', 'billing')), '{}');
      new.low_balance_mailed_at := now();
    end if;
    return new;
  end $$`;

/** As before, and what members were notified of 90 days ago. */
const SWEEP = `
  create or replace function platform.delete_ended_sessions(p_idle_seconds integer) returns void ${AS_OWNER}
  as $$
  begin
    delete from member_token t where t.expires_at < now();
    delete from member_session s where s.expires_at < now() or s.last_used_at < now() - make_interval(secs => p_idle_seconds);
    delete from member_link l where l.expires_at < now();
    delete from sign_in_code c where c.used_at < now() - interval '1 day' and coalesce(c.locked_until < now(), true);
    delete from member_device d where d.last_seen_at < now() - interval '1 year';
    delete from passkey_challenge c where c.expires_at < now();
    delete from member_notification n where n.id < uuid_floor(now() - interval '90 days');
  end $$`;

const GRANTS = `
  revoke all on function platform.write_notifications, platform.mails_off, platform_v1.notify_of_case from public;
  grant execute on function platform_v1.notify_of_case to compliance_app, compliance_owner`;
