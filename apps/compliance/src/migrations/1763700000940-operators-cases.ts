import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators see of screenings and cases, whosever they are: how they stand, nothing of whom. */
export class OperatorsCases1763700000940 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...INDEXES, OVERDUE, SCREENING, CASE, WORK, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language sql stable security definer set search_path = compliance, pg_temp';

const INDEXES = [
  `create index review_case_overdue on compliance.review_case (due_at, id) where status <> 'resolved'`,
  `create index screening_asked_by_identity on compliance.screening (request_id) where request_id is not null`,
];

/** The longest overdue first. */
const OVERDUE = `
  create function compliance.ops_overdue_cases(p_after_due timestamptz, p_after_id uuid, p_limit int)
  returns table (id uuid, tenant_id uuid, priority text, status text, due_at timestamptz, assignee text, opened_at timestamptz,
                 escalated_at timestamptz) ${AS_OWNER} as $$
    select c.id, c.tenant_id, c.priority, c.status, c.due_at, c.assignee, c.opened_at, c.escalated_at from review_case c
     where c.status <> 'resolved' and c.due_at < now()
       and (p_after_id is null or (c.due_at, c.id) > (p_after_due, p_after_id))
     order by c.due_at, c.id limit p_limit
  $$`;

/** By its own id, or by that of the identity module's step run that asked for it. */
const SCREENING = `
  create function compliance.ops_screening(p_id uuid, p_request_id uuid)
  returns table (id uuid, tenant_id uuid, validation_code text, validation_version int, trigger text, request_id uuid, decision text,
                 score bigint, lists text[], list_versions jsonb, case_id uuid, credits_debited int, created_at timestamptz)
  ${AS_OWNER} as $$
    select s.id, s.tenant_id, s.validation_code, s.validation_version, s.trigger, s.request_id, s.decision, s.score, s.list_hits,
           s.list_versions, s.case_id, s.credits_debited, s.created_at
      from screening s
     where s.id = p_id or s.request_id = p_request_id
     order by s.id limit 1
  $$`;

/** With its timeline: types, states and times; what people wrote and who they are stays with the tenant. */
const CASE = `
  create function compliance.ops_case(p_id uuid)
  returns table (id uuid, tenant_id uuid, status text, priority text, screening_id uuid, opened_at timestamptz, due_at timestamptz,
                 resolved_at timestamptz, events jsonb) ${AS_OWNER} as $$
    select c.id, c.tenant_id, c.status, c.priority, c.screening_id, c.opened_at, c.due_at, c.resolved_at,
           (select coalesce(jsonb_agg(jsonb_build_object('at', e.at, 'type', e.type, 'from', e."from", 'to', e."to") order by e.seq), '[]')
              from (select * from case_event x where x.case_id = c.id order by x.seq limit 500) e)
      from review_case c where c.id = p_id
  $$`;

const WORK = `
  create function compliance.ops_work() returns table (kind text, open bigint, oldest_seconds double precision) ${AS_OWNER} as $$
    select 'rescreen', count(*), coalesce(extract(epoch from now() - min(j.requested_at)), 0)::double precision
      from rescreen_job j where j.status <> 'done'
    union all
    select 'overdue-case', count(*), coalesce(extract(epoch from now() - min(c.due_at)), 0)::double precision
      from review_case c where c.status <> 'resolved' and c.due_at < now()
  $$`;

const NAMES = ['ops_overdue_cases', 'ops_screening', 'ops_case', 'ops_work']
  .map((name) => `compliance.${name}`)
  .join(', ');

const GRANTS = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to compliance_app`;
