import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace of the request that started a run: what works on it, and what comes of it, goes on with that. */
const COLUMN = `alter table identity.step_run add column traceparent text`;

/**
 * claim_step_runs with the trace. A function of its own, since a worker of the release before holds prepared calls of the former one
 * and would not survive another result.
 */
const CLAIM = `
  create function identity.claim_step_runs_v2(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, session_id uuid, subject_id uuid, step_type text, attempt integer, input jsonb,
    lease_token uuid, lease_until timestamptz, deadline_at timestamptz, claims integer, traceparent text
  )
  language sql volatile security definer set search_path = identity, pg_temp as $$
    select c.id, c.tenant_id, c.session_id, c.subject_id, c.step_type, c.attempt, c.input, c.lease_token, c.lease_until,
           c.deadline_at, c.claims, (select r.traceparent from step_run r where r.id = c.id)
      from claim_step_runs(p_limit, p_lease_seconds) c
  $$;
  revoke all on function identity.claim_step_runs_v2 from public;
  grant execute on function identity.claim_step_runs_v2 to identity_app`;

export class IdentityTraces1763700000960 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMN);
    await runner.query(CLAIM);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function identity.claim_step_runs_v2');
    await runner.query('alter table identity.step_run drop column traceparent');
  }
}
