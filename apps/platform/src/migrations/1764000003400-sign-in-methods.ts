import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How a member signed in, and what a tenant requires of it. open_member_session is the one place where a session begins, whatever the
 * method: it applies the tenant's rule and notices new devices.
 */
export class SignInMethods1764000003400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      METHOD,
      SETTINGS,
      tenantTable('platform', 'sign_in_settings'),
      END_SESSIONS,
      ACCESS,
      OPEN_SESSION,
      SIGN_IN,
      SIGN_IN_WITH_LINK,
      CONSOLE_SESSION,
      ISSUE_TOKEN,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

/** Sessions of before were opened with a mailed code, or with a link. */
const METHOD = `
  alter table platform.member_session
    add column method text not null default 'code' check (method in ('code', 'link', 'passkey', 'sso'));
  alter table platform.member_session alter column method drop default`;

/** required_method: null: every method. A tenant without a row requires none. */
const SETTINGS = `
  create table platform.sign_in_settings (
    tenant_id uuid primary key references platform.tenant,
    required_method text check (required_method in ('passkey', 'sso'))
  )`;

/**
 * A new rule ends the sessions that do not meet it, and so their tokens, each of which is announced. The lock of the tenant's row: whoever
 * opens a session or issues a token waits for the rule, or the rule for them.
 */
const END_SESSIONS = `
  create function platform.end_sessions_below_rule() returns trigger ${AS_OWNER} as $$
  begin
    perform from tenant t where t.id = new.tenant_id for no key update;
    delete from member_session s where s.tenant_id = new.tenant_id and s.method <> new.required_method;
    return null;
  end $$;
  create trigger end_sessions after insert or update on platform.sign_in_settings
    for each row execute function platform.end_sessions_below_rule();
  revoke all on function platform.end_sessions_below_rule from public`;

/** What a member gets who signed in with a method: full, or the method that the tenant requires instead. Needs a lock of the tenant's row. */
const ACCESS = `
  create function platform.sign_in_access(p_member_id uuid, p_method text) returns text
  language sql volatile security definer set search_path = platform, pg_temp as $$
    select case when coalesce(r.required_method, p_method) = p_method then 'full' else r.required_method end
      from member m left join sign_in_settings r on r.tenant_id = m.tenant_id where m.id = p_member_id
  $$`;

/**
 * Opens a session of an active member who has proved who they are by p_method: a new row with a new token, whatever the browser had before.
 * Answers ok, or the method that the tenant requires instead; then no session is open.
 */
const OPEN_SESSION = `
  drop function platform.open_member_session;
  create function platform.open_member_session(p_member_id uuid, p_method text, p_session jsonb) returns text ${AS_OWNER}
  as $$
  declare
    v_device constant bytea := decode(p_session ->> 'device_hash', 'hex');
    v_tenant_id uuid;
    v_access text;
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
    insert into member_session (id, tenant_id, member_id, method, token_hash, expires_at, user_agent, ip)
    values ((p_session ->> 'id')::uuid, v_tenant_id, p_member_id, p_method, decode(p_session ->> 'token_hash', 'hex'),
            now() + make_interval(secs => (p_session ->> 'max_seconds')::integer), p_session ->> 'user_agent', p_session ->> 'ip');
    return 'ok';
  end $$`;

/** As before; outcome may also be the method that the tenant requires instead (passkey, sso): the code was right and is used up. */
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
     where lower(m.email) = lower(p_email) and m.status = 'active' and (p_tenant_id is null or m.tenant_id = p_tenant_id);
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
 * As before; answers ok, the method that the tenant requires instead, or null for a link that was used, has expired or never existed. The
 * tenant's row is locked first, as by everybody who changes members.
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
    return open_member_session(v_member_id, 'link', p_session);
  end $$`;

/** As before, with the method. */
const CONSOLE_SESSION = `
  drop function platform.console_session;
  create function platform.console_session(p_token_hash bytea, p_idle_seconds integer)
  returns table (id uuid, tenant_id uuid, member_id uuid, method text, created_at timestamptz, last_used_at timestamptz,
                 expires_at timestamptz, name text, email text, role text, locale text, slug text, display_name text, environment text)
  language sql volatile security definer set search_path = platform, pg_temp as $$
    update member_session s set last_used_at = now()
      from member m join tenant t on t.id = m.tenant_id
     where s.token_hash = p_token_hash and s.expires_at > now() and s.last_used_at > now() - make_interval(secs => p_idle_seconds)
       and m.id = s.member_id and m.status = 'active'
    returning s.id, s.tenant_id, s.member_id, s.method, s.created_at, s.last_used_at, s.expires_at, m.name, m.email, m.role, m.locale,
              t.slug, t.display_name, t.environment
  $$`;

/** As before, for a session with full access alone. */
const ISSUE_TOKEN = `
  create or replace function platform.issue_member_token(p_session_id uuid, p_token_hash bytea, p_ttl_seconds integer)
  returns timestamptz ${AS_OWNER} as $$
  declare
    v_expires_at timestamptz;
  begin
    perform from tenant t where t.id = (select s.tenant_id from member_session s where s.id = p_session_id) for share;
    insert into member_token (token_hash, tenant_id, member_id, session_id, expires_at)
    select p_token_hash, s.tenant_id, s.member_id, s.id, least(now() + make_interval(secs => p_ttl_seconds), s.expires_at)
      from member_session s where s.id = p_session_id and sign_in_access(s.member_id, s.method) = 'full'
    returning expires_at into v_expires_at;
    return v_expires_at;
  end $$`;

const GRANTS = `
  revoke all on function platform.open_member_session, platform.sign_in_access, platform.sign_in_with_link, platform.console_session
    from public;
  grant execute on function platform.open_member_session, platform.sign_in_with_link, platform.console_session to platform_app`;
