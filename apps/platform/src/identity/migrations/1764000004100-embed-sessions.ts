import { embedSessionSchema } from '@constancia/embed-sessions';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Flow sessions shown in frames of tenants' pages. The frame is one of the devices of the session: identity.capture.active_token is its id.
 * No token is found whose flow session is long over, or whose subject was erased.
 */
const EMBED_SESSIONS = embedSessionSchema('identity', {
  kind: 'flow',
  target: 'identity.capture',
  found: {
    columns: ', subject_id uuid, active boolean',
    values: ', s.subject_id, c.active_token = e.id',
    joins: `join capture c on c.session_id = e.target_id
      join flow_session s on s.id = e.target_id
      join subject p on p.id = s.subject_id and p.tenant_id = s.tenant_id`,
    conditions: `and s.expires_at + interval '24 hours' > now() and s.forgotten_at is null and p.erased_at is null`,
  },
});

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
      update embed_session e set external_ref = null, metadata = '{}' from due where e.target_id = due.id
    ), forgotten as (
      update flow_session f set forgotten_at = now(), sealed_context = null, external_ref = null
        from due where f.id = due.id returning 1
    )
    select count(*)::integer from forgotten
  $$`;

export class IdentityEmbedSessions1764000004100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...EMBED_SESSIONS, FORGET_SESSIONS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
