import { ownersTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys that tokens are signed with, a set for each class of tokens (ADR 0196). A retired key has lost its private part. */
export class IdentityTokenKeys1764000004700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const table = [TOKEN_KEY, ownersTable('identity', 'token_key')];
    for (const sql of [...table, READ, ADD, ROTATE, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const TOKEN_KEY = `
  create table identity.token_key (
    kid text primary key check (kid ~ '^[A-Za-z0-9_-]{43}$'),
    key_set text not null check (key_set ~ '^[a-z_]{1,40}$'),
    state text not null check (state in ('next', 'current', 'retired')),
    public_jwk jsonb not null,
    wrapped_key bytea,
    sealed_private bytea,
    published_at timestamptz(3) not null default now(),
    current_since timestamptz(3),
    retired_at timestamptz(3),
    check ((state = 'next') = (current_since is null)),
    check ((state = 'retired') = (retired_at is not null)),
    check ((state = 'retired') = (sealed_private is null) and (state = 'retired') = (wrapped_key is null))
  );
  create unique index token_key_next on identity.token_key (key_set) where state = 'next';
  create unique index token_key_current on identity.token_key (key_set) where state = 'current';
  create index token_key_of_set on identity.token_key (key_set)`;

const READ = `
  create function identity.token_keys(p_key_set text) returns setof identity.token_key
  language sql stable security definer set search_path = identity, pg_temp
  as $$ select * from token_key k where k.key_set = p_key_set $$`;

/** One change of a set at a time. A set without a current key has no tokens: its first key need not be published before it signs. */
const ADD = `
  create function identity.lock_token_keys(p_key_set text) returns void
  language sql volatile set search_path = identity, pg_temp
  as $$ select pg_advisory_xact_lock(hashtext('token_key'), hashtext(p_key_set)) $$;

  create function identity.add_token_key(p_kid text, p_key_set text, p_public_jwk jsonb, p_wrapped_key bytea, p_sealed_private bytea)
  returns void language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  declare
    v_first boolean;
  begin
    perform lock_token_keys(p_key_set);
    v_first := not exists (select from token_key k where k.key_set = p_key_set and k.state = 'current');
    insert into token_key (kid, key_set, state, public_jwk, wrapped_key, sealed_private, current_since)
    values (p_kid, p_key_set, case when v_first then 'current' else 'next' end, p_public_jwk, p_wrapped_key, p_sealed_private,
            case when v_first then now() end)
    on conflict do nothing;
  end $$`;

/**
 * next becomes current when the current one has served p_use_seconds and it was published for p_publish_seconds itself; a retired one is
 * deleted after p_keep_seconds. Answers whether a next one has to be added now.
 */
const ROTATE = `
  create function identity.rotate_token_keys(p_key_set text, p_use_seconds integer, p_publish_seconds integer, p_keep_seconds integer)
  returns boolean language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  declare
    v_current token_key;
    v_next token_key;
  begin
    perform lock_token_keys(p_key_set);
    delete from token_key k
     where k.key_set = p_key_set and k.state = 'retired' and k.retired_at <= now() - make_interval(secs => p_keep_seconds);
    select * into v_current from token_key k where k.key_set = p_key_set and k.state = 'current';
    select * into v_next from token_key k where k.key_set = p_key_set and k.state = 'next';
    if v_current.kid is null then
      return false;
    end if;
    if v_next.kid is null then
      return v_current.current_since <= now() - make_interval(secs => p_use_seconds - p_publish_seconds);
    end if;
    if v_current.current_since <= now() - make_interval(secs => p_use_seconds)
       and v_next.published_at <= now() - make_interval(secs => p_publish_seconds) then
      update token_key k set state = 'retired', retired_at = now(), wrapped_key = null, sealed_private = null where k.kid = v_current.kid;
      update token_key k set state = 'current', current_since = now() where k.kid = v_next.kid;
    end if;
    return false;
  end $$`;

const GRANTS = `
  revoke all on function identity.lock_token_keys, identity.token_keys, identity.add_token_key, identity.rotate_token_keys from public;
  grant execute on function identity.token_keys, identity.add_token_key, identity.rotate_token_keys to identity_app`;
