/**
 * The table of a schema's challenges. challenge_hash: SHA-256. session_id: of a registration, the session that asked for it; of a step-up, the
 * id of what it is for; null: of a sign-in.
 *
 * @param sessions the table of sessions in which passkeys are registered, whose end is the end of their challenges; left out: there are
 *   step-ups too, and challenges end by their time
 */
export function passkeyChallengeTable(schema: string, sessions?: string): string {
  return `
    create table ${schema}.passkey_challenge (
      challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
      session_id uuid${sessions === undefined ? '' : ` references ${schema}.${sessions} on delete cascade`},
      expires_at timestamptz not null
    );
    create index passkey_challenge_of on ${schema}.passkey_challenge (session_id);
    create index passkey_challenge_expiry on ${schema}.passkey_challenge (expires_at)`;
}

/** The functions on that table, for the app of the schema. A challenge is taken once, by the one ceremony that it was made for. */
export function passkeyChallengeFunctions(schema: string): string {
  return `
    create function ${schema}.note_passkey_challenge(p_hash bytea, p_session_id uuid, p_ttl_seconds integer) returns void
    language sql volatile security definer set search_path = ${schema}, pg_temp as $$
      insert into passkey_challenge (challenge_hash, session_id, expires_at)
      values (p_hash, p_session_id, clock_timestamp() + make_interval(secs => p_ttl_seconds))
    $$;

    create function ${schema}.take_passkey_challenge(p_hash bytea, p_session_id uuid) returns boolean
    language plpgsql volatile security definer set search_path = ${schema}, pg_temp as $$
    begin
      delete from passkey_challenge c
       where c.challenge_hash = p_hash and c.session_id is not distinct from p_session_id and c.expires_at > clock_timestamp();
      return found;
    end $$`;
}
