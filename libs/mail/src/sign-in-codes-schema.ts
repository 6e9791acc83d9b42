/**
 * SQL of mailed codes, for a schema whose owner runs it. Known and unknown addresses have the same rows and cost the same work: whether an
 * address is known is looked at when the mail is written. code_hash: HMAC; for an unknown address of a code that nobody was sent.
 */
export function signInCodeTable(schema: string): string {
  return `
    create table ${schema}.sign_in_code (
      email_digest bytea primary key check (octet_length(email_digest) = 32),
      code_hash bytea,
      expires_at timestamptz,
      wrong_attempts integer not null default 0,
      locked_until timestamptz,
      sends timestamptz[] not null default '{}',
      used_at timestamptz not null default now()
    );
    create index sign_in_code_used on ${schema}.sign_in_code (used_at)`;
}

/**
 * The functions on that table, for other functions of the schema, which run as its owner:
 *
 * - `note_code_request(digest)`: whether a code may be mailed: one a minute, five an hour, none while it is locked. Notes that it is.
 * - `keep_code(digest, hash, seconds)`: keeps the code that is about to be mailed.
 * - `check_code(digest, hashes, known)`: ok, wrong or locked (with the seconds to wait). Counts a wrong one; five lock it for 15 minutes.
 *   The row is locked first, so that of a hundred guesses at once five are looked at. `known` false: no code is right.
 * - `use_code(digest)`: the code is used up.
 */
export function signInCodeFunctions(schema: string): string {
  const asOwner = `language plpgsql volatile set search_path = ${schema}, pg_temp`;
  return `
    create function ${schema}.note_code_request(p_digest bytea) returns boolean ${asOwner} as $$
    declare
      v_now constant timestamptz := clock_timestamp();
    begin
      insert into sign_in_code (email_digest) values (p_digest) on conflict do nothing;
      update sign_in_code c
         set sends = array(select s from unnest(c.sends) s where s > v_now - interval '1 hour') || v_now, used_at = v_now
       where c.email_digest = p_digest and coalesce(c.locked_until <= v_now, true)
         and (select count(*) < 5 and coalesce(max(s) <= v_now - interval '1 minute', true)
                from unnest(c.sends) s where s > v_now - interval '1 hour');
      return found;
    end $$;

    create function ${schema}.keep_code(p_digest bytea, p_code_hash bytea, p_ttl_seconds integer) returns void ${asOwner} as $$
    begin
      update sign_in_code c
         set code_hash = p_code_hash, expires_at = clock_timestamp() + make_interval(secs => p_ttl_seconds), wrong_attempts = 0
       where c.email_digest = p_digest;
    end $$;

    create function ${schema}.check_code(p_digest bytea, p_code_hashes bytea[], p_known boolean, out outcome text, out retry_after integer)
    ${asOwner} as $$
    declare
      v_now constant timestamptz := clock_timestamp();
      v_code sign_in_code;
    begin
      insert into sign_in_code (email_digest) values (p_digest) on conflict do nothing;
      select * into v_code from sign_in_code c where c.email_digest = p_digest for update;
      if v_code.locked_until > v_now then
        outcome := 'locked';
        retry_after := ceil(extract(epoch from v_code.locked_until - v_now))::integer;
      elsif v_code.code_hash is null or v_code.expires_at <= v_now or not v_code.code_hash = any (p_code_hashes) or not p_known then
        update sign_in_code c
           set wrong_attempts = case when c.wrong_attempts >= 4 then 0 else c.wrong_attempts + 1 end,
               locked_until = case when c.wrong_attempts >= 4 then v_now + interval '15 minutes' end,
               code_hash = case when c.wrong_attempts >= 4 then null else c.code_hash end,
               used_at = v_now
         where c.email_digest = p_digest;
        outcome := 'wrong';
      else
        outcome := 'ok';
      end if;
    end $$;

    create function ${schema}.use_code(p_digest bytea) returns void ${asOwner} as $$
    begin
      update sign_in_code c set code_hash = null, wrong_attempts = 0, locked_until = null where c.email_digest = p_digest;
    end $$;

    revoke all on function ${schema}.note_code_request, ${schema}.keep_code, ${schema}.check_code, ${schema}.use_code from public`;
}
