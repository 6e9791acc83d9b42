import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators see of a flow session: how it went, nothing of whom. */
export class OperatorsSessions1763700000940 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SESSION, TRAIL, RUNS, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language sql stable security definer set search_path = identity, pg_temp';

const SESSION = `
  create function identity.ops_session(p_id uuid)
  returns table (id uuid, tenant_id uuid, flow_id uuid, status text, current_step text, rejection_reason text, case_id text,
                 created_at timestamptz, expires_at timestamptz, completed_at timestamptz) ${AS_OWNER} as $$
    select s.id, s.tenant_id, s.flow_id, s.status, s.current_step, s.rejection_reason, s.case_id, s.created_at, s.expires_at,
           s.completed_at
      from flow_session s where s.id = p_id
  $$`;

/** data only as far as it is words, numbers and ids of the service's own; what a reviewer wrote is none. */
const TRAIL = `
  create function identity.ops_session_trail(p_id uuid)
  returns table (seq int, at timestamptz, type text, step text, "from" text, "to" text, data jsonb) ${AS_OWNER} as $$
    select e.seq, e.at, e.type, e.step, e."from", e."to",
           (select jsonb_object_agg(m.key, m.value) from jsonb_each_text(e.data::jsonb) m
             where m.value ~ '^[a-z0-9_.]{1,60}$' and (e.type <> 'reviewed' or m.key = 'decision'))
      from session_event e where e.session_id = p_id order by e.seq limit 500
  $$`;

/** Pieces of work outside the request; the ledger's holds are for them. */
const RUNS = `
  create function identity.ops_step_runs(p_session_id uuid)
  returns table (id uuid, step_type text, attempt int, status text, outcome text, reason text, claims int, created_at timestamptz,
                 started_at timestamptz, finished_at timestamptz, applied_at timestamptz) ${AS_OWNER} as $$
    select r.id, r.step_type, r.attempt, r.status, r.outcome, r.reason, r.claims, r.created_at, r.started_at, r.finished_at, r.applied_at
      from step_run r where r.session_id = p_session_id order by r.created_at limit 100
  $$`;

const NAMES = 'identity.ops_session, identity.ops_session_trail, identity.ops_step_runs';

const GRANTS = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to identity_app`;
