import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions that were kept for as long as their tenant wants: what they and their runs gathered goes, and with it what people wrote when
 * they reviewed them. Answers how many. Reviews of sessions that were forgotten before are cleared at once.
 */
const forgetSessions = (reviews: string): string => `
  create or replace function identity.forget_sessions(p_limit integer, p_default_days integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select f.id from flow_session f left join tenant_settings s on s.tenant_id = f.tenant_id
       where f.completed_at is not null and f.forgotten_at is null
         and f.completed_at <= now() - make_interval(days => coalesce(s.session_retention_days, p_default_days))
       order by f.completed_at limit p_limit for update of f skip locked
    ), runs as (
      update step_run r set result_sealed = null from due where r.session_id = due.id
    )${reviews}, forgotten as (
      update flow_session f set forgotten_at = now(), sealed_context = null, external_ref = null
        from due where f.id = due.id returning 1
    )
    select count(*)::integer from forgotten
  $$`;

const REVIEWS = `, reviews as (
      update session_review r set sealed_reason = null from due where r.session_id = due.id
    )`;

export class IdentityForgetReviews1764000001100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(forgetSessions(REVIEWS));
    await runner.query(
      `update identity.session_review r set sealed_reason = null from identity.flow_session f
        where f.id = r.session_id and f.forgotten_at is not null and r.sealed_reason is not null`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(forgetSessions(''));
  }
}
