import { ownersTable, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Members of a tenant, their console sessions and member tokens. Everything that ends a member's access deletes their sessions, and with
 * these their tokens, each of which is announced, so that every host drops it at once.
 */
export class Members1764000002200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      MEMBER,
      tenantTable('platform', 'member', ['select', 'insert', 'update', 'delete']),
      MEMBER_LINK,
      tenantTable('platform', 'member_link', ['select', 'insert', 'delete']),
      MEMBER_SESSION,
      tenantTable('platform', 'member_session', ['select', 'delete']),
      MEMBER_TOKEN,
      tenantTable('platform', 'member_token', []),
      MEMBER_DEVICE,
      tenantTable('platform', 'member_device', []),
      SIGN_IN_CODE,
      ownersTable('platform', 'sign_in_code'),
      MEMBER_MAIL,
      ownersTable('platform', 'member_mail'),
      FIRST_OWNER,
      ANNOUNCE,
      RESOLVE_CREDENTIAL,
      REQUEST_CODE,
      ISSUE_CODE,
      OPEN_SESSION,
      SIGN_IN,
      SIGN_IN_WITH_LINK,
      CONSOLE_SESSION,
      MAILS,
      SWEEP,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = platform, pg_temp';

const MEMBER = `
  create table platform.member (
    id uuid primary key default platform.uuid_v7(),
    tenant_id uuid not null references platform.tenant,
    email text not null check (length(email) <= 254),
    name text not null check (length(name) between 1 and 120),
    role text not null check (role in ('owner', 'admin', 'developer', 'analyst', 'supervisor', 'sender', 'billing', 'auditor')),
    status text not null check (status in ('invited', 'active', 'suspended')),
    locale text not null default 'es-CO',
    created_by text not null,
    created_at timestamptz(3) not null default now(),
    activated_at timestamptz(3)
  );
  create unique index member_email on platform.member (tenant_id, lower(email));
  create index member_by_email on platform.member (lower(email))`;

/** Links that sign in once: of an invitation, or of the local stack. hash: SHA-256 of the token. */
const MEMBER_LINK = `
  create table platform.member_link (
    token_hash bytea primary key check (octet_length(token_hash) = 32),
    tenant_id uuid not null references platform.tenant,
    member_id uuid not null references platform.member on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index member_link_of on platform.member_link (member_id);
  create index member_link_expiry on platform.member_link (expires_at)`;

const MEMBER_SESSION = `
  create table platform.member_session (
    id uuid primary key,
    tenant_id uuid not null references platform.tenant,
    member_id uuid not null references platform.member on delete cascade,
    token_hash bytea not null unique check (octet_length(token_hash) = 32),
    created_at timestamptz(3) not null default now(),
    last_used_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    user_agent text not null,
    ip text not null
  );
  create index member_session_of on platform.member_session (member_id);
  create index member_session_idle on platform.member_session (last_used_at)`;

const MEMBER_TOKEN = `
  create table platform.member_token (
    token_hash bytea primary key check (octet_length(token_hash) = 32),
    tenant_id uuid not null references platform.tenant,
    member_id uuid not null references platform.member on delete cascade,
    session_id uuid not null references platform.member_session on delete cascade,
    expires_at timestamptz(3) not null
  );
  create index member_token_of on platform.member_token (session_id);
  create index member_token_member on platform.member_token (member_id)`;

/** Where a member signed in from: SHA-256 of the browser's name. */
const MEMBER_DEVICE = `
  create table platform.member_device (
    tenant_id uuid not null references platform.tenant,
    member_id uuid not null references platform.member on delete cascade,
    device_hash bytea not null,
    last_seen_at timestamptz not null default now(),
    primary key (member_id, device_hash)
  )`;

/**
 * Codes by the digest of the address that asked, whether or not it belongs to a member: known and unknown addresses have the same
 * rows, and cost the same work. code_hash: HMAC; for an unknown address of a code that nobody was sent.
 */
const SIGN_IN_CODE = `
  create table platform.sign_in_code (
    email_digest bytea primary key check (octet_length(email_digest) = 32),
    code_hash bytea,
    expires_at timestamptz,
    wrong_attempts integer not null default 0,
    locked_until timestamptz,
    sends timestamptz[] not null default '{}',
    used_at timestamptz not null default now()
  );
  create index sign_in_code_used on platform.sign_in_code (used_at)`;

/**
 * Mails to members that wait to be sent. sign_in_code: to an address that may be nobody's, known when the mail is written. The others: to
 * a member; detail: JSON.
 */
const MEMBER_MAIL = `
  create table platform.member_mail (
    id uuid primary key default platform.uuid_v7(),
    kind text not null check (kind in ('sign_in_code', 'invitation', 'new_device', 'member_added', 'role_changed')),
    member_id uuid references platform.member on delete cascade,
    email text,
    detail text,
    created_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    attempts integer not null default 0,
    check ((kind = 'sign_in_code') = (member_id is null)),
    check ((kind = 'sign_in_code') = (email is not null))
  );
  create index member_mail_due on platform.member_mail (due_at)`;

/**
 * The owner's address of a tenant is its first owner: active once the address is verified. By triggers, so that it holds for tenants that
 * a process of the former release signs up.
 */
const FIRST_OWNER = `
  create function platform.add_first_owner() returns trigger ${AS_OWNER} as $$
  begin
    insert into member (tenant_id, email, name, role, status, locale, created_by, activated_at)
    values (new.id, new.owner_email, left(split_part(new.owner_email, '@', 1), 120), 'owner',
            case when new.owner_email_verified_at is null then 'invited' else 'active' end,
            new.locale, 'sign-up', new.owner_email_verified_at);
    return null;
  end $$;
  create trigger add_first_owner after insert on platform.tenant for each row execute function platform.add_first_owner();

  create function platform.activate_owner() returns trigger ${AS_OWNER} as $$
  begin
    update member m set status = 'active', activated_at = new.owner_email_verified_at
     where m.tenant_id = new.id and lower(m.email) = lower(new.owner_email) and m.status = 'invited';
    return null;
  end $$;
  create trigger activate_owner after update of owner_email_verified_at on platform.tenant
    for each row when (old.owner_email_verified_at is null and new.owner_email_verified_at is not null)
    execute function platform.activate_owner();
  revoke all on function platform.add_first_owner, platform.activate_owner from public;

  insert into platform.member (tenant_id, email, name, role, status, locale, created_by, created_at, activated_at)
  select t.id, t.owner_email, left(split_part(t.owner_email, '@', 1), 120), 'owner',
         case when t.owner_email_verified_at is null then 'invited' else 'active' end,
         t.locale, 'sign-up', t.created_at, t.owner_email_verified_at
    from platform.tenant t`;

/** A token that ends, and each token of a member who changes, is announced: every process reads it again. */
const ANNOUNCE = `
  create function platform.announce_member_token() returns trigger ${AS_OWNER} as $$
  begin
    perform pg_notify('api_key_changed', encode(old.token_hash, 'hex'));
    return null;
  end $$;
  create trigger announce after delete on platform.member_token for each row execute function platform.announce_member_token();

  create function platform.announce_member() returns trigger ${AS_OWNER} as $$
  begin
    if new.status <> 'active' then
      delete from member_session s where s.member_id = new.id;
      delete from member_link l where l.member_id = new.id and new.status = 'suspended';
    else
      perform pg_notify('api_key_changed', encode(t.token_hash, 'hex')) from member_token t where t.member_id = new.id;
    end if;
    return null;
  end $$;
  create trigger announce after update of status, role, name on platform.member for each row execute function platform.announce_member();
  revoke all on function platform.announce_member_token, platform.announce_member from public`;

const RESOLVE_CREDENTIAL = `
  create or replace function platform_v1.resolve_credential(p_kind text, p_hash bytea)
  returns table (principal_id uuid, name text, hash bytea, prefix text, scopes text[], allowed_cidrs text[], in_grace boolean, role text,
                 session_id uuid, tenant_id uuid, slug text, display_name text, plan text, environment text, expires_at timestamptz)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select k.key_id, k.name, k.key_hash, k.prefix, k.scopes, k.allowed_cidrs, k.status = 'expiring', null::text, null::uuid,
           t.id, t.slug, t.display_name, t.plan, t.environment, k.expires_at
      from platform.api_key k join platform.tenant t on t.id = k.tenant_id
     where p_kind = 'key' and k.key_hash = p_hash and k.status <> 'revoked' and (k.expires_at is null or k.expires_at > now())
    union all
    select m.id, m.name, n.token_hash, null, null, null, false, m.role, n.session_id,
           t.id, t.slug, t.display_name, t.plan, t.environment, least(n.expires_at, s.expires_at)
      from platform.member_token n join platform.member m on m.id = n.member_id join platform.member_session s on s.id = n.session_id
      join platform.tenant t on t.id = n.tenant_id
     where p_kind = 'member' and n.token_hash = p_hash and n.expires_at > now() and s.expires_at > now() and m.status = 'active'
  $$`;

/**
 * Notes that an address asked for a code: at most one a minute, five an hour, and none while it is locked. Whether the address is known is
 * looked at when the mail is written, not here.
 */
const REQUEST_CODE = `
  create function platform.request_sign_in_code(p_email text, p_digest bytea) returns void ${AS_OWNER}
  as $$
  declare
    v_now constant timestamptz := clock_timestamp();
  begin
    insert into sign_in_code (email_digest) values (p_digest) on conflict do nothing;
    update sign_in_code c
       set sends = array(select s from unnest(c.sends) s where s > v_now - interval '1 hour') || v_now, used_at = v_now
     where c.email_digest = p_digest and coalesce(c.locked_until <= v_now, true)
       and (select count(*) < 5 and coalesce(max(s) <= v_now - interval '1 minute', true)
              from unnest(c.sends) s where s > v_now - interval '1 hour');
    if found then
      insert into member_mail (kind, email, detail) values ('sign_in_code', p_email, encode(p_digest, 'hex'));
    end if;
  end $$`;

/** Keeps the code that is about to be mailed; for an address of no active member the other one. Returns the member's language, or null. */
const ISSUE_CODE = `
  create function platform.issue_sign_in_code(
    p_email text, p_digest bytea, p_code_hash bytea, p_decoy_hash bytea, p_ttl_seconds integer
  ) returns text ${AS_OWNER}
  as $$
  declare
    v_locale text;
  begin
    select m.locale into v_locale from member m
     where lower(m.email) = lower(p_email) and m.status = 'active' order by m.id limit 1;
    update sign_in_code c
       set code_hash = case when v_locale is null then p_decoy_hash else p_code_hash end,
           expires_at = clock_timestamp() + make_interval(secs => p_ttl_seconds), wrong_attempts = 0
     where c.email_digest = p_digest;
    return v_locale;
  end $$`;

/** Opens a session of an active member: a new row with a new token, whatever the browser had before. Internal. */
const OPEN_SESSION = `
  create function platform.open_member_session(p_member_id uuid, p_session jsonb) returns void ${AS_OWNER}
  as $$
  declare
    v_device constant bytea := decode(p_session ->> 'device_hash', 'hex');
    v_tenant_id uuid;
  begin
    select m.tenant_id into v_tenant_id from member m where m.id = p_member_id;
    if exists (select from member_device d where d.member_id = p_member_id)
       and not exists (select from member_device d where d.member_id = p_member_id and d.device_hash = v_device) then
      insert into member_mail (kind, member_id, detail)
      values ('new_device', p_member_id, json_build_object('user_agent', p_session ->> 'user_agent', 'ip', p_session ->> 'ip')::text);
    end if;
    insert into member_device (tenant_id, member_id, device_hash) values (v_tenant_id, p_member_id, v_device)
    on conflict (member_id, device_hash) do update set last_seen_at = now();
    insert into member_session (id, tenant_id, member_id, token_hash, expires_at, user_agent, ip)
    values ((p_session ->> 'id')::uuid, v_tenant_id, p_member_id, decode(p_session ->> 'token_hash', 'hex'),
            now() + make_interval(secs => (p_session ->> 'max_seconds')::integer), p_session ->> 'user_agent', p_session ->> 'ip');
  end $$`;

/**
 * Signs in with the code that was mailed. outcome: ok (a session is open), choose (a row for each tenant; the code stays), wrong, locked.
 * The row of the address is locked first, so that of a hundred guesses at once five are looked at.
 */
const SIGN_IN = `
  create function platform.sign_in(p_email text, p_digest bytea, p_code_hashes bytea[], p_tenant_id uuid, p_session jsonb)
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
    perform open_member_session(v_members[1], p_session);
    return query select 'ok', null::integer, m.tenant_id, null::text from member m where m.id = v_members[1];
  end $$`;

/** Signs in with a link, which is used up. An invited member is active from then on: the link came by mail to their address. */
const SIGN_IN_WITH_LINK = `
  create function platform.issue_login_link(p_tenant_id uuid, p_email text, p_token_hash bytea, p_ttl_seconds integer) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    insert into member_link (token_hash, tenant_id, member_id, expires_at)
    select p_token_hash, m.tenant_id, m.id, now() + make_interval(secs => p_ttl_seconds)
      from member m where m.tenant_id = p_tenant_id and lower(m.email) = lower(p_email) and m.status <> 'suspended'
  $$;

  create function platform.sign_in_with_link(p_token_hash bytea, p_session jsonb) returns boolean ${AS_OWNER}
  as $$
  declare
    v_member_id uuid;
  begin
    delete from member_link l where l.token_hash = p_token_hash and l.expires_at > clock_timestamp() returning l.member_id into v_member_id;
    update member m set status = 'active', activated_at = date_trunc('milliseconds', clock_timestamp())
     where m.id = v_member_id and m.status = 'invited';
    if not exists (select from member m where m.id = v_member_id and m.status = 'active') then
      return false;
    end if;
    delete from member_link l where l.member_id = v_member_id;
    perform open_member_session(v_member_id, p_session);
    return true;
  end $$`;

/** The session of a cookie, used now; no row when it has ended or was idle for too long. */
const CONSOLE_SESSION = `
  create function platform.console_session(p_token_hash bytea, p_idle_seconds integer)
  returns table (id uuid, tenant_id uuid, member_id uuid, created_at timestamptz, last_used_at timestamptz, expires_at timestamptz, name text,
                 email text, role text, locale text, slug text, display_name text, environment text)
  language sql volatile security definer set search_path = platform, pg_temp as $$
    update member_session s set last_used_at = now()
      from member m join tenant t on t.id = m.tenant_id
     where s.token_hash = p_token_hash and s.expires_at > now() and s.last_used_at > now() - make_interval(secs => p_idle_seconds)
       and m.id = s.member_id and m.status = 'active'
    returning s.id, s.tenant_id, s.member_id, s.created_at, s.last_used_at, s.expires_at, m.name, m.email, m.role, m.locale, t.slug,
              t.display_name, t.environment
  $$;

  create function platform.issue_member_token(p_session_id uuid, p_token_hash bytea, p_ttl_seconds integer) returns timestamptz
  language sql volatile security definer set search_path = platform, pg_temp as $$
    insert into member_token (token_hash, tenant_id, member_id, session_id, expires_at)
    select p_token_hash, s.tenant_id, s.member_id, s.id, least(now() + make_interval(secs => p_ttl_seconds), s.expires_at)
      from member_session s where s.id = p_session_id
    returning expires_at
  $$;

  create function platform.end_console_session(p_token_hash bytea) returns void
  language sql volatile security definer set search_path = platform, pg_temp
  as $$ delete from member_session s where s.token_hash = p_token_hash $$`;

/** An invitation waits until the owner's address is verified. After 7 days a mail is given up; a code is useless after 10 minutes. */
const MAILS = `
  create function platform.claim_member_mail()
  returns table (id uuid, kind text, detail text, created_at timestamptz, email text, tenant_id uuid, member_id uuid, name text, role text,
                 locale text, display_name text) ${AS_OWNER}
  as $$
  begin
    delete from member_mail m
     where m.created_at < now() - case when m.kind = 'sign_in_code' then interval '10 minutes' else interval '7 days' end;
    return query
      with taken as (
        update member_mail m
           set attempts = m.attempts + 1,
               due_at = now() + least(interval '15 seconds' * power(2, least(m.attempts, 8)), interval '1 hour')
         where m.id = (
           select d.id from member_mail d left join member r on r.id = d.member_id left join tenant t on t.id = r.tenant_id
            where d.due_at <= now() and (d.kind <> 'invitation' or t.owner_email_verified_at is not null)
            order by d.due_at limit 1 for update of d skip locked)
        returning m.*
      )
      select k.id, k.kind, k.detail, k.created_at, coalesce(k.email, m.email), m.tenant_id, m.id, m.name, m.role, m.locale, t.display_name
        from taken k left join member m on m.id = k.member_id left join tenant t on t.id = m.tenant_id;
  end $$;

  create function platform.finish_member_mail(p_id uuid) returns void
  language sql volatile security definer set search_path = platform, pg_temp
  as $$ delete from member_mail where id = p_id $$;

  create function platform.member_mail_lag() returns double precision
  language sql stable security definer set search_path = platform, pg_temp as $$
    select coalesce(extract(epoch from now() - min(m.created_at)), 0)::double precision
      from member_mail m left join member r on r.id = m.member_id left join tenant t on t.id = r.tenant_id
     where m.kind <> 'invitation' or t.owner_email_verified_at is not null
  $$;

  create function platform.mail_member(p_tenant_id uuid, p_member_id uuid, p_kind text) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    insert into member_mail (kind, member_id) select p_kind, m.id from member m where m.tenant_id = p_tenant_id and m.id = p_member_id
  $$;

  create function platform.mail_owners(p_tenant_id uuid, p_kind text, p_detail text) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    insert into member_mail (kind, member_id, detail)
    select p_kind, m.id, p_detail from member m where m.tenant_id = p_tenant_id and m.role = 'owner' and m.status = 'active'
  $$`;

const SWEEP = `
  create function platform.delete_ended_sessions(p_idle_seconds integer) returns void ${AS_OWNER}
  as $$
  begin
    delete from member_token t where t.expires_at < now();
    delete from member_session s where s.expires_at < now() or s.last_used_at < now() - make_interval(secs => p_idle_seconds);
    delete from member_link l where l.expires_at < now();
    delete from sign_in_code c where c.used_at < now() - interval '1 day' and coalesce(c.locked_until < now(), true);
    delete from member_device d where d.last_seen_at < now() - interval '1 year';
  end $$`;

const FUNCTIONS = [
  'request_sign_in_code', 'issue_sign_in_code', 'sign_in', 'issue_login_link', 'sign_in_with_link', 'console_session', 'issue_member_token',
  'end_console_session', 'claim_member_mail', 'finish_member_mail', 'member_mail_lag', 'mail_member', 'mail_owners', 'delete_ended_sessions',
].map((name) => `platform.${name}`).join(', '); // prettier-ignore

const GRANTS = `
  revoke all on function ${FUNCTIONS}, platform.open_member_session from public;
  grant execute on function ${FUNCTIONS} to platform_app`;
