import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Single sign-on of members with the tenant's own OpenID provider. */
export class Sso1764000003500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      SSO,
      tenantTable('platform', 'sso', ['select', 'insert', 'update', 'delete']),
      SSO_ATTEMPT,
      tenantTable('platform', 'sso_attempt', ['select', 'insert', 'delete']),
      MEMBER,
      NOTICES,
      FUNCTIONS,
      TYPE_ID,
      END_SESSIONS,
      OPEN_SESSION,
      SIGN_IN,
      SIGN_IN_WITH_LINK,
      ISSUE_CODE,
      MAIL_KINDS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** version: another one after each change, so that a sign-in which began before a change does not end after it. client_secret: sealed. */
const SSO = `
  create table platform.sso (
    tenant_id uuid primary key references platform.tenant,
    version uuid not null,
    issuer text not null,
    client_id text not null,
    client_secret bytea not null,
    domains text[] not null check (cardinality(domains) > 0),
    role_claim text,
    role_map jsonb,
    updated_at timestamptz(3) not null default now(),
    check ((role_claim is null) = (role_map is null))
  )`;

/** A sign-in that a browser has begun. Hashes: SHA-256 of the state, and of the cookie of that browser. */
const SSO_ATTEMPT = `
  create table platform.sso_attempt (
    state_hash bytea primary key check (octet_length(state_hash) = 32),
    tenant_id uuid not null references platform.sso on delete cascade,
    version uuid not null,
    browser_hash bytea not null check (octet_length(browser_hash) = 32),
    expires_at timestamptz not null
  );
  create index sso_attempt_of on platform.sso_attempt (tenant_id);
  create index sso_attempt_expiry on platform.sso_attempt (expires_at)`;

/**
 * sso_subject: the account at the provider to which the member is bound, as SHA-256. sso_only: nobody has ever shown that the address is
 * theirs, but the tenant's own provider; such an address gets no codes.
 */
const MEMBER = `
  alter table platform.member add column sso_subject bytea, add column sso_only boolean not null default false;
  create unique index member_sso_subject on platform.member (tenant_id, sso_subject) where sso_subject is not null`;

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

const NOTICES = `
  create function platform.note_sso() returns trigger ${AS_OWNER} as $$
  begin
    insert into owner_notice (tenant_id, kind, detail)
    values (coalesce(new.tenant_id, old.tenant_id), case when tg_op = 'DELETE' then 'sso_deleted' else 'sso_changed' end,
            coalesce(new.issuer, old.issuer));
    return null;
  end $$;
  create trigger note after insert or delete or update on platform.sso for each row execute function platform.note_sso();
  revoke all on function platform.note_sso from public`;

const FUNCTIONS = `
  create function platform.sso_tenant(p_slug text) returns uuid
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.id from tenant t join sso s on s.tenant_id = t.id where t.slug = p_slug
  $$;

  create function platform.forget_sso_attempts() returns void
  language sql volatile security definer set search_path = platform, pg_temp
  as $$ delete from sso_attempt where expires_at < now() $$;

  revoke all on function platform.sso_tenant, platform.forget_sso_attempts from public;
  grant execute on function platform.sso_tenant, platform.forget_sso_attempts to platform_app`;

/** A TypeID, as typeId of libs/kernel writes it: the prefix, and the UUID in Crockford's base 32. */
const TYPE_ID = `
  create function platform.type_id(p_prefix text, p_id uuid) returns text
  language sql immutable set search_path = platform, pg_temp as $$
    select p_prefix || '_' || string_agg(
             substr('0123456789abcdefghjkmnpqrstvwxyz',
                    1 + substring(b'00' || ('x' || replace(p_id::text, '-', ''))::bit(128) from 5 * i + 1 for 5)::bit(5)::integer, 1),
             '' order by i)
      from generate_series(0, 25) i
  $$;
  revoke all on function platform.type_id from public`;

/** When an owner becomes something else, their sessions have to meet the rule, too. */
const END_SESSIONS = `
  create trigger end_sessions after update of role on platform.member
    for each row when (old.role = 'owner' and new.role <> 'owner') execute function platform.end_sessions_below_rule()`;

/**
 * Opens a session of an active member who has proved who they are by p_method: a new row with a new token, whatever the browser had before.
 * Answers ok, or the method that the tenant requires instead; then no session is open. It notices new devices. An owner who does without the
 * single sign-on that is required is recorded, and the other owners are mailed.
 */
const OPEN_SESSION = `
  drop function platform.open_member_session;
  create function platform.open_member_session(p_member_id uuid, p_method text, p_session jsonb) returns text ${AS_OWNER}
  as $$
  declare
    v_device constant bytea := decode(p_session ->> 'device_hash', 'hex');
    v_tenant_id uuid;
    v_access text;
    v_member member;
  begin
    select t.id into v_tenant_id from tenant t where t.id = (select m.tenant_id from member m where m.id = p_member_id) for share;
    v_access := sign_in_access(p_member_id, p_method);
    if v_access in ('passkey', 'sso') then
      return v_access;
    end if;
    if exists (select from member_device d where d.member_id = p_member_id)
       and not exists (select from member_device d where d.member_id = p_member_id and d.device_hash = v_device) then
      insert into member_mail (kind, member_id, detail)
      values ('new_device', p_member_id, json_build_object('user_agent', p_session ->> 'user_agent', 'ip', p_session ->> 'ip')::text);
    end if;
    insert into member_device (tenant_id, member_id, device_hash) values (v_tenant_id, p_member_id, v_device)
    on conflict (member_id, device_hash) do update set last_seen_at = now();
    insert into member_session (id, tenant_id, member_id, method, passkey_id, token_hash, expires_at, user_agent, ip)
    values ((p_session ->> 'id')::uuid, v_tenant_id, p_member_id, p_method, (p_session ->> 'passkey_id')::uuid,
            decode(p_session ->> 'token_hash', 'hex'), now() + make_interval(secs => (p_session ->> 'max_seconds')::integer),
            p_session ->> 'user_agent', p_session ->> 'ip');
    if p_method <> 'sso' and exists (select from sign_in_settings r where r.tenant_id = v_tenant_id and r.required_method = 'sso') then
      select * into v_member from member m where m.id = p_member_id;
      insert into member_mail (kind, member_id, detail)
      select 'sso_bypassed', o.id, json_build_object('name', v_member.name, 'ip', p_session ->> 'ip')::text
        from member o where o.tenant_id = v_tenant_id and o.role = 'owner' and o.status = 'active' and o.id <> p_member_id;
      perform set_config('app.tenant_id', v_tenant_id::text, true); -- record_audit asks whose transaction it is
      perform platform_v1.record_audit(v_tenant_id, 'member.sso_bypassed', jsonb_build_object(
        'actor_kind', 'member', 'actor_id', type_id('mbr', p_member_id), 'actor_name', v_member.name,
        'object_kind', 'member', 'object_id', type_id('mbr', p_member_id), 'origin', p_session ->> 'ip',
        'data', format('{"after":{"method":%s}}', to_json(p_method))));
    end if;
    return 'ok';
  end $$;
  revoke all on function platform.open_member_session from public;
  grant execute on function platform.open_member_session to platform_app`;

/**
 * As before, for members whose address was shown to be theirs by a mail; outcome may also be the method that the tenant requires instead
 * (passkey, sso): the code was right and is used up.
 */
const SIGN_IN = `
  create or replace function platform.sign_in(p_email text, p_digest bytea, p_code_hashes bytea[], p_tenant_id uuid, p_session jsonb)
  returns table (outcome text, retry_after integer, tenant_id uuid, tenant_name text) ${AS_OWNER}
  as $$
  declare
    v_now constant timestamptz := clock_timestamp();
    v_code sign_in_code;
    v_members uuid[];
  begin
    insert into sign_in_code (email_digest) values (p_digest) on conflict do nothing;
    select * into v_code from sign_in_code c where c.email_digest = p_digest for update;
    select array_agg(m.id order by m.id) into v_members from member m
     where lower(m.email) = lower(p_email) and m.status = 'active' and not m.sso_only and (p_tenant_id is null or m.tenant_id = p_tenant_id);
    if v_code.locked_until > v_now then
      return query select 'locked', ceil(extract(epoch from v_code.locked_until - v_now))::integer, null::uuid, null::text;
      return;
    end if;
    if v_code.code_hash is null or v_code.expires_at <= v_now or not v_code.code_hash = any (p_code_hashes) or v_members is null then
      update sign_in_code c
         set wrong_attempts = case when c.wrong_attempts >= 4 then 0 else c.wrong_attempts + 1 end,
             locked_until = case when c.wrong_attempts >= 4 then v_now + interval '15 minutes' end,
             code_hash = case when c.wrong_attempts >= 4 then null else c.code_hash end,
             used_at = v_now
       where c.email_digest = p_digest;
      return query select 'wrong', null::integer, null::uuid, null::text;
      return;
    end if;
    if cardinality(v_members) > 1 then
      return query select 'choose', null::integer, t.id, t.display_name
        from member m join tenant t on t.id = m.tenant_id where m.id = any (v_members) order by t.display_name, t.id;
      return;
    end if;
    update sign_in_code c set code_hash = null, wrong_attempts = 0, locked_until = null where c.email_digest = p_digest;
    return query select open_member_session(m.id, 'code', p_session), null::integer, m.tenant_id, null::text
      from member m where m.id = v_members[1];
  end $$`;

/**
 * Answers ok, the method that the tenant requires instead, or null for a link that was used, has expired or never existed. Anyone who
 * opens a mailed link has shown that the address is theirs. The tenant's row is locked first, as by everybody who changes members.
 */
const SIGN_IN_WITH_LINK = `
  drop function platform.sign_in_with_link;
  create function platform.sign_in_with_link(p_token_hash bytea, p_session jsonb) returns text ${AS_OWNER}
  as $$
  declare
    v_member_id uuid;
  begin
    perform from tenant t where t.id = (select l.tenant_id from member_link l where l.token_hash = p_token_hash) for share;
    delete from member_link l where l.token_hash = p_token_hash and l.expires_at > clock_timestamp() returning l.member_id into v_member_id;
    update member m set status = 'active', activated_at = date_trunc('milliseconds', clock_timestamp())
     where m.id = v_member_id and m.status = 'invited';
    if not exists (select from member m where m.id = v_member_id and m.status = 'active') then
      return null;
    end if;
    delete from member_link l where l.member_id = v_member_id;
    update member m set sso_only = false where m.id = v_member_id and m.sso_only;
    return open_member_session(v_member_id, 'link', p_session);
  end $$;
  revoke all on function platform.sign_in_with_link from public;
  grant execute on function platform.sign_in_with_link to platform_app`;

/** As before, for members whose address was shown to be theirs by a mail. sso_of_address: the tenants of such a member that have a provider. */
const ISSUE_CODE = `
  create or replace function platform.issue_sign_in_code(
    p_email text, p_digest bytea, p_code_hash bytea, p_decoy_hash bytea, p_ttl_seconds integer
  ) returns text ${AS_OWNER}
  as $$
  declare
    v_locale text;
  begin
    select m.locale into v_locale from member m
     where lower(m.email) = lower(p_email) and m.status = 'active' and not m.sso_only order by m.id limit 1;
    update sign_in_code c
       set code_hash = case when v_locale is null then p_decoy_hash else p_code_hash end,
           expires_at = clock_timestamp() + make_interval(secs => p_ttl_seconds), wrong_attempts = 0
     where c.email_digest = p_digest;
    return v_locale;
  end $$;

  create function platform.sso_of_address(p_email text) returns table (slug text, display_name text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.slug, t.display_name from member m join sso s on s.tenant_id = m.tenant_id join tenant t on t.id = m.tenant_id
     where lower(m.email) = lower(p_email) and m.status = 'active' and not m.sso_only order by t.display_name, t.id
  $$;
  revoke all on function platform.sso_of_address from public;
  grant execute on function platform.sso_of_address to platform_app`;

const MAIL_KINDS = `
  alter table platform.member_mail drop constraint member_mail_kind_check;
  alter table platform.member_mail add constraint member_mail_kind_check check (kind ~ '^[a-z]+(_[a-z]+)*$')`;
