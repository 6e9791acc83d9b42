import { passkeyChallengeFunctions, passkeyChallengeTable } from '@constancia/auth/passkeys-schema';
import { ownersTable, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys of members, the challenges of their ceremonies, and what a passkey is worth at a sign-in. */
export class Passkeys1764000003410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      PASSKEY,
      tenantTable('platform', 'passkey', ['select', 'update', 'delete']),
      passkeyChallengeTable('platform', 'member_session'),
      ownersTable('platform', 'passkey_challenge'),
      OF_SESSION,
      ACCESS,
      CONSOLE_SESSION,
      passkeyChallengeFunctions('platform'),
      USE_PASSKEY,
      REGISTER,
      MAIL,
      RESET,
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

/** sign_count: of the last sign-in, 0 for authenticators that do not count. regressed_at: when it was last refused for a count that went back. */
const PASSKEY = `
  create table platform.passkey (
    id uuid primary key default platform.uuid_v7(),
    tenant_id uuid not null references platform.tenant,
    member_id uuid not null references platform.member on delete cascade,
    credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
    public_key bytea not null,
    sign_count bigint not null,
    transports text[] not null,
    name text not null check (length(name) between 1 and 60),
    backed_up boolean not null,
    created_at timestamptz(3) not null default now(),
    last_used_at timestamptz(3),
    regressed_at timestamptz
  );
  create index passkey_of on platform.passkey (member_id)`;

/** A passkey that is removed ends the sessions that it opened. */
const OF_SESSION = `
  alter table platform.member_session add column passkey_id uuid references platform.passkey on delete cascade;
  create index member_session_by_passkey on platform.member_session (passkey_id)`;

/**
 * What a member gets who signed in with a method: full; enrol, where the tenant requires a passkey and the member has none yet, to register
 * the first one; or the method that the tenant requires instead. Owners keep every method when single sign-on is required, so that a
 * provider that fails locks nobody out for good. Needs a lock of the tenant's row.
 */
const ACCESS = `
  create function platform.sign_in_access(p_member_id uuid, p_method text) returns text
  language sql volatile security definer set search_path = platform, pg_temp as $$
    select case when coalesce(r.required_method, p_method) = p_method or (r.required_method = 'sso' and m.role = 'owner') then 'full'
                when r.required_method = 'passkey' and not exists (select from passkey k where k.member_id = m.id) then 'enrol'
                else r.required_method end
      from member m left join sign_in_settings r on r.tenant_id = m.tenant_id where m.id = p_member_id
  $$;
  revoke all on function platform.sign_in_access from public`;

/** As before, with the method and what the session may do; no row for one that may do nothing any more. */
const CONSOLE_SESSION = `
  drop function platform.console_session;
  create function platform.console_session(p_token_hash bytea, p_idle_seconds integer)
  returns table (id uuid, tenant_id uuid, member_id uuid, method text, access text, created_at timestamptz, last_used_at timestamptz,
                 expires_at timestamptz, name text, email text, role text, locale text, slug text, display_name text, environment text)
  language sql volatile security definer set search_path = platform, pg_temp as $$
    with used as (
      update member_session s set last_used_at = now()
       where s.token_hash = p_token_hash and s.expires_at > now() and s.last_used_at > now() - make_interval(secs => p_idle_seconds)
      returning s.*
    )
    select s.id, s.tenant_id, s.member_id, s.method, a.access, s.created_at, s.last_used_at, s.expires_at, m.name, m.email, m.role, m.locale,
           t.slug, t.display_name, t.environment
      from used s join member m on m.id = s.member_id and m.status = 'active' join tenant t on t.id = m.tenant_id
      cross join lateral (select sign_in_access(s.member_id, s.method) as access) a
     where a.access in ('full', 'enrol')
  $$`;

/**
 * passkey_by_credential: what a signature is checked with. use_passkey: notes a sign-in whose signature is right and answers the member;
 * null for a member who is not active, and for a count that went back, as that of a copied passkey does: then the member is mailed, at
 * most once an hour.
 */
const USE_PASSKEY = `
  create function platform.passkey_by_credential(p_credential_id bytea) returns table (id uuid, member_id uuid, public_key bytea)
  language sql stable security definer set search_path = platform, pg_temp
  as $$ select k.id, k.member_id, k.public_key from passkey k where k.credential_id = p_credential_id $$;

  create function platform.use_passkey(p_passkey_id uuid, p_sign_count bigint, p_backed_up boolean) returns uuid ${AS_OWNER} as $$
  declare
    v_member_id uuid;
  begin
    perform from tenant t where t.id = (select k.tenant_id from passkey k where k.id = p_passkey_id) for share;
    update passkey k set sign_count = p_sign_count, backed_up = p_backed_up, last_used_at = now()
      from member m
     where k.id = p_passkey_id and m.id = k.member_id and m.status = 'active'
       and (p_sign_count > k.sign_count or (p_sign_count = 0 and k.sign_count = 0))
    returning k.member_id into v_member_id;
    if v_member_id is null then
      with refused as (
        update passkey k set regressed_at = now()
          from member m
         where k.id = p_passkey_id and m.id = k.member_id and m.status = 'active'
           and coalesce(k.regressed_at < now() - interval '1 hour', true)
        returning k.member_id, k.name
      )
      insert into member_mail (kind, member_id, detail)
      select 'passkey_refused', r.member_id, json_build_object('name', r.name)::text from refused r;
    end if;
    return v_member_id;
  end $$`;

/**
 * Registers a passkey for the member of a session: ok, ended (the session may not), limit or exists. The lock of the tenant's row keeps the
 * limit, and the first passkey of an enrolment. That ends the sessions which were open to enrol: from then on it is demanded.
 */
const REGISTER = `
  create function platform.register_passkey(
    p_session_id uuid, p_max integer, p_name text, p_credential_id bytea, p_public_key bytea, p_sign_count bigint, p_transports text[],
    p_backed_up boolean, out outcome text, out passkey_id uuid
  ) ${AS_OWNER} as $$
  declare
    v_session member_session;
  begin
    perform from tenant t where t.id = (select s.tenant_id from member_session s where s.id = p_session_id) for no key update;
    select * into v_session from member_session s where s.id = p_session_id;
    if v_session.id is null or sign_in_access(v_session.member_id, v_session.method) not in ('full', 'enrol') then
      outcome := 'ended';
      return;
    end if;
    if (select count(*) from passkey k where k.member_id = v_session.member_id) >= p_max then
      outcome := 'limit';
      return;
    end if;
    insert into passkey (tenant_id, member_id, credential_id, public_key, sign_count, transports, name, backed_up)
    values (v_session.tenant_id, v_session.member_id, p_credential_id, p_public_key, p_sign_count, p_transports, p_name, p_backed_up)
    on conflict (credential_id) do nothing returning id into passkey_id;
    if passkey_id is null then
      outcome := 'exists';
      return;
    end if;
    insert into member_mail (kind, member_id, detail)
    values ('passkey_added', v_session.member_id, json_build_object('name', p_name)::text);
    delete from member_session s where s.member_id = v_session.member_id and sign_in_access(s.member_id, s.method) <> 'full';
    outcome := 'ok';
  end $$`;

const MAIL = `
  create function platform.mail_passkey_removed(p_tenant_id uuid, p_member_id uuid, p_name text) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    insert into member_mail (kind, member_id, detail)
    select 'passkey_removed', m.id, json_build_object('name', p_name)::text from member m where m.tenant_id = p_tenant_id and m.id = p_member_id
  $$`;

/** Operators alone: removes the passkeys of an owner who lost them, and mails every owner. Answers the owner and how many; no row: no such owner. */
const RESET = `
  create function platform.ops_reset_passkeys(p_tenant_id uuid, p_email text) returns table (member_id uuid, passkeys integer) ${AS_OWNER} as $$
  declare
    v_member member;
    v_count integer;
  begin
    perform from tenant t where t.id = p_tenant_id for no key update;
    select * into v_member from member m
     where m.tenant_id = p_tenant_id and lower(m.email) = lower(p_email) and m.role = 'owner' and m.status = 'active';
    if v_member.id is null then
      return;
    end if;
    delete from passkey k where k.member_id = v_member.id;
    get diagnostics v_count = row_count;
    if v_count > 0 then
      perform mail_owners(p_tenant_id, 'passkeys_reset', json_build_object('name', v_member.name)::text);
    end if;
    return query select v_member.id, v_count;
  end $$`;

/** As before, and the challenges that nobody used. */
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
  end $$`;

const FUNCTIONS = [
  'console_session', 'note_passkey_challenge', 'take_passkey_challenge', 'passkey_by_credential', 'use_passkey', 'register_passkey',
  'mail_passkey_removed', 'ops_reset_passkeys',
].map((name) => `platform.${name}`).join(', '); // prettier-ignore

const GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to platform_app`;
