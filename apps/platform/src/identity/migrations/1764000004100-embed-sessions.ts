import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A flow session shown in a frame of a tenant's page. access_hash: of the token that the one frame got which opened it; device_id: what
 * that frame is among the devices of the session (identity.capture.active_token).
 */
const EMBED_SESSION = `
  create table identity.embed_session (
    id uuid primary key,
    tenant_id uuid not null,
    kind text not null check (kind = 'flow'),
    session_id uuid not null references identity.capture,
    device_id uuid not null,
    token_hash bytea not null check (octet_length(token_hash) = 32),
    allowed_origins text[] not null check (cardinality(allowed_origins) between 1 and 10),
    locale text check (locale in ('es-CO', 'en')),
    theme jsonb not null,
    external_ref text,
    metadata jsonb not null,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    exchanged_at timestamptz(3),
    parent_origin text,
    access_hash bytea check (octet_length(access_hash) = 32),
    access_used_at timestamptz(3),
    check ((exchanged_at is null) = (access_hash is null))
  );
  create unique index embed_session_token on identity.embed_session (token_hash);
  create index embed_session_flow_session on identity.embed_session (session_id);
  create index embed_session_expiry on identity.embed_session (expires_at)`;

/**
 * Whose an embed token is; no rows when it is unknown, expired or revoked, its flow session is long over, or the subject was erased.
 * has_access: whether the access token with the second hash is that of its frame, and was used within the last p_access_seconds.
 */
const RESOLVE_TOKEN = `
  create function identity.resolve_embed_token(p_token_hash bytea, p_access_hash bytea, p_access_seconds int)
  returns table (embed_id uuid, tenant_id uuid, session_id uuid, subject_id uuid, device_id uuid, active boolean,
                 allowed_origins text[], locale text, expires_at timestamptz, has_access boolean, idle_seconds double precision)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select e.id, e.tenant_id, s.id, s.subject_id, e.device_id, c.active_token = e.device_id,
           e.allowed_origins, e.locale, e.expires_at,
           coalesce(e.access_hash = p_access_hash and e.access_used_at > now() - make_interval(secs => p_access_seconds), false),
           extract(epoch from now() - e.access_used_at)::double precision
      from embed_session e
      join capture c on c.session_id = e.session_id
      join flow_session s on s.id = e.session_id
      join subject p on p.id = s.subject_id and p.tenant_id = s.tenant_id
     where e.token_hash = p_token_hash and e.revoked_at is null and e.expires_at > now()
       and s.expires_at + interval '24 hours' > now() and s.forgotten_at is null and p.erased_at is null
  $$;
  revoke all on function identity.resolve_embed_token from public;
  grant execute on function identity.resolve_embed_token to identity_app`;

/** As before, by the tenant's retention; what the tenant wrote to embed sessions goes too. */
const FORGET_SESSIONS = `
  create or replace function identity.forget_sessions(p_limit integer, p_default_days integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select f.id from flow_session f left join platform_v1.retention_periods() r on r.tenant_id = f.tenant_id
       where f.completed_at is not null and f.forgotten_at is null
         and f.completed_at <= now() - make_interval(days => coalesce(r.identity_session_days, p_default_days))
       order by f.completed_at limit p_limit for update of f skip locked
    ), runs as (
      update step_run s set result_sealed = null from due where s.session_id = due.id
    ), reviews as (
      update session_review v set sealed_reason = null from due where v.session_id = due.id
    ), embeds as (
      update embed_session e set external_ref = null, metadata = '{}' from due where e.session_id = due.id
    ), forgotten as (
      update flow_session f set forgotten_at = now(), sealed_context = null, external_ref = null
        from due where f.id = due.id returning 1
    )
    select count(*)::integer from forgotten
  $$`;

/** Deletes embed sessions that expired days ago; answers how many. */
const DELETE_OLD = `
  create function identity.delete_embed_sessions(p_limit integer, p_days integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select e.id from embed_session e where e.expires_at <= now() - make_interval(days => p_days)
       order by e.expires_at limit p_limit for update of e skip locked
    ), deleted as (
      delete from embed_session e using due where e.id = due.id returning 1
    )
    select count(*)::integer from deleted
  $$;
  revoke all on function identity.delete_embed_sessions from public;
  grant execute on function identity.delete_embed_sessions to identity_app`;

export class IdentityEmbedSessions1764000004100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const table = [EMBED_SESSION, tenantTable('identity', 'embed_session')];
    for (const sql of [...table, RESOLVE_TOKEN, FORGET_SESSIONS, DELETE_OLD]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
