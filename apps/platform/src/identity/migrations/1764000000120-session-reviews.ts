import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What people decided about sessions in manual_review: asked (the compliance module has not said whether that is enough) → waiting (for
 * a second person) → decided; or refused, or superseded by another decision. sealed_reason: under the subject's key.
 */
const SESSION_REVIEW = `
  alter table identity.flow_session add column pending_approval boolean not null default false;
  create table identity.session_review (
    id uuid primary key,
    tenant_id uuid not null,
    session_id uuid not null references identity.flow_session,
    decision text not null check (decision in ('approve', 'reject')),
    actor text not null,
    sealed_reason bytea,
    status text not null default 'asked' check (status in ('asked', 'waiting', 'decided', 'refused', 'superseded')),
    detail text,
    traceparent text,
    asked_at timestamptz,
    asks int not null default 0,
    created_at timestamptz(3) not null default now()
  );
  create index session_review_session on identity.session_review (session_id, id);
  create index session_review_open on identity.session_review (asked_at nulls first) where status in ('asked', 'waiting')`;

/**
 * Reviews to ask the compliance module about (again): those without an answer every p_every_ms at first and once a minute at the
 * least; those that wait for a second person, whose case may have been returned, once a minute.
 */
const TO_ASK = `
  create function identity.session_reviews_to_ask(p_limit integer, p_every_ms integer)
  returns table (id uuid, tenant_id uuid, session_id uuid, status text)
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select r.id from session_review r
       where r.status in ('asked', 'waiting')
         and (r.asked_at is null or r.asked_at <= now() - case when r.status = 'waiting' then interval '1 minute'
                else make_interval(secs => least(60, p_every_ms / 1000.0 * power(2, least(10, greatest(0, r.asks - 5))))) end)
       order by r.asked_at nulls first, r.id limit p_limit for update skip locked
    )
    update session_review r set asked_at = now(), asks = r.asks + 1
      from due where r.id = due.id
    returning r.id, r.tenant_id, r.session_id, r.status
  $$`;

const NAMES = 'identity.session_reviews_to_ask';

export class IdentitySessionReviews1764000000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const grants = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to identity_app`;
    const rights = tenantTable('identity', 'session_review', ['select', 'insert', 'update']);
    for (const sql of [SESSION_REVIEW, rights, TO_ASK, grants]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function ${NAMES}`);
    await runner.query('drop table identity.session_review');
    await runner.query('alter table identity.flow_session drop column pending_approval');
  }
}
