/**
 * The biometrics worker's side of step runs, across tenants: claim, keep the lease, finish. Every write is fenced by the lease
 * token: a worker that lost its lease changes nothing and is told so. It decides nothing about session or money.
 *
 * claim_step_runs leases up to p_limit runs of the types document and face, the oldest first: queued ones, and running ones whose
 * lease ran out (their worker died). claims counts them, this one included; a run is given out three times at the most.
 *
 * finish_step_run: running → done, and NOTIFY step_run_done with the run's id. p_outcome: pass, reject, review, retry or error;
 * p_reason a stable word; p_result_sealed under the subject's data key, or null.
 */
const CLAIM = `
  create function identity.claim_step_runs(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, session_id uuid, subject_id uuid, step_type text, attempt integer, input jsonb,
    lease_token uuid, lease_until timestamptz, deadline_at timestamptz, claims integer
  )
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select r.id
        from step_run r
       where r.status in ('queued', 'running') and r.step_type in ('document', 'face') and r.deadline_at > now()
         and r.claims < 3 and (r.lease_until is null or r.lease_until <= now())
       order by r.created_at
       limit p_limit
         for update skip locked
    )
    update step_run r
       set status = 'running', lease_token = gen_random_uuid(), lease_until = now() + make_interval(secs => p_lease_seconds),
           claims = r.claims + 1, started_at = coalesce(r.started_at, now())
      from due
     where r.id = due.id
    returning r.id, r.tenant_id, r.session_id, r.subject_id, r.step_type, r.attempt, r.input, r.lease_token, r.lease_until,
              r.deadline_at, r.claims
  $$`;

const EXTEND = `
  create function identity.extend_step_run(p_run_id uuid, p_lease_token uuid, p_lease_seconds integer) returns boolean
  language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  begin
    update step_run set lease_until = now() + make_interval(secs => p_lease_seconds)
     where id = p_run_id and lease_token = p_lease_token and status = 'running';
    return found;
  end $$`;

const FINISH = `
  create function identity.finish_step_run(
    p_run_id uuid, p_lease_token uuid, p_outcome text, p_reason text, p_result_sealed bytea, p_engine text, p_model_version text
  ) returns boolean
  language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  begin
    update step_run
       set status = 'done', outcome = p_outcome, reason = p_reason, result_sealed = p_result_sealed, engine = p_engine,
           model_version = p_model_version, finished_at = now(), lease_token = null, lease_until = null
     where id = p_run_id and lease_token = p_lease_token and status = 'running';
    if found then
      perform pg_notify('step_run_done', p_run_id::text);
      return true;
    end if;
    return false;
  end $$`;

/** Runs that wait for the worker, and for how long the oldest has. */
const BACKLOG = `
  create function identity.step_run_backlog() returns table (waiting bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select count(*), coalesce(extract(epoch from now() - min(created_at)), 0)::double precision
      from step_run where status = 'queued' and step_type in ('document', 'face')
  $$`;

export const STEP_RUN_FUNCTIONS = [CLAIM, EXTEND, FINISH, BACKLOG];

/** Runs whose time is over, or whose workers keep dying: done, as an engine error. Answers how many. */
const EXPIRE_RUNS = `
  create function identity.expire_step_runs(p_limit integer) returns integer
  language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  declare
    expired uuid;
    ended integer := 0;
  begin
    for expired in
      with over as (
        select r.id, r.deadline_at <= now() as late
          from step_run r
         where r.status in ('queued', 'running')
           and (r.deadline_at <= now() or (r.claims >= 3 and r.lease_until <= now()))
         order by r.created_at
         limit p_limit
           for update skip locked
      )
      update step_run r
         set status = 'done', outcome = 'error', reason = case when over.late then 'timeout' else 'engine_crash' end,
             finished_at = now(), lease_token = null, lease_until = null
        from over
       where r.id = over.id
      returning r.id
    loop
      perform pg_notify('step_run_done', expired::text);
      ended := ended + 1;
    end loop;
    return ended;
  end $$`;

/** Runs that are done and that nobody has applied for p_after_ms: their request is gone, or its process. */
const TO_APPLY = `
  create function identity.step_runs_to_apply(p_limit integer, p_after_ms integer)
  returns table (id uuid, tenant_id uuid)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select r.id, r.tenant_id from step_run r
     where r.status = 'done' and r.finished_at <= now() - make_interval(secs => p_after_ms / 1000.0)
     order by r.finished_at limit p_limit
  $$`;

/** Screenings to ask the compliance module for (again): those not asked for within p_every_ms. */
const SARLAFT_TO_ASK = `
  create function identity.sarlaft_runs_to_ask(p_limit integer, p_every_ms integer)
  returns table (id uuid, tenant_id uuid)
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select r.id from step_run r
       where r.status in ('queued', 'running') and r.step_type = 'sarlaft' and r.deadline_at > now()
         and (r.asked_at is null or r.asked_at <= now() - make_interval(secs => p_every_ms / 1000.0))
       order by r.created_at limit p_limit for update skip locked
    )
    update step_run r set asked_at = now(), status = 'running', started_at = coalesce(r.started_at, now())
      from due where r.id = due.id
    returning r.id, r.tenant_id
  $$`;

/** Tenants whose canonical validation has been asked for and not been confirmed. */
const SEEDS_TO_ASK = `
  create function identity.seeds_to_ask(p_limit integer, p_every_ms integer)
  returns table (request_id uuid, tenant_id uuid)
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select f.id from flow f
       where f.seed_request is not null
         and (f.seed_asked_at is null or f.seed_asked_at <= now() - make_interval(secs => p_every_ms / 1000.0))
       order by f.seed_asked_at nulls first limit p_limit for update skip locked
    )
    update flow f set seed_asked_at = now() from due where f.id = due.id
    returning f.seed_request, f.tenant_id
  $$`;

/**
 * Sessions whose case the compliance module is to be told of (every p_every_ms until it answers), or asked about (every ten
 * minutes: it tells by itself when a case is resolved, and its word may get lost).
 */
const CASES_TO_ASK = `
  create function identity.cases_to_ask(p_limit integer, p_every_ms integer)
  returns table (session_id uuid, tenant_id uuid, case_id text, case_request jsonb)
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select s.id from flow_session s
       where s.case_id is not null and (s.status = 'manual_review' or s.case_request is not null)
         and (s.case_asked_at is null or s.case_asked_at <= now() - case
                when s.case_request is null then interval '10 minutes'
                else make_interval(secs => p_every_ms / 1000.0) end)
       order by s.case_asked_at nulls first limit p_limit for update skip locked
    )
    update flow_session s set case_asked_at = now()
      from due where s.id = due.id
    returning s.id, s.tenant_id, s.case_id, s.case_request
  $$`;

/** Sessions whose time is over and that no work is under way for. */
const TO_EXPIRE = `
  create function identity.sessions_to_expire(p_limit integer)
  returns table (id uuid, tenant_id uuid)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select s.id, s.tenant_id from flow_session s
     where s.status = 'in_progress' and s.expires_at <= now()
       and not exists (select 1 from step_run r where r.session_id = s.id and r.status <> 'applied')
     order by s.expires_at limit p_limit
  $$`;

/** The sessions of a tenant that a case is about and that wait for its end, or told it theirs. */
const OF_CASE = `
  create function identity.sessions_of_case(p_tenant_id uuid, p_case_id text) returns setof uuid
  language sql stable security definer set search_path = identity, pg_temp as $$
    select id from flow_session
     where tenant_id = p_tenant_id and case_id = p_case_id and (status = 'manual_review' or case_request is not null)
     order by id
  $$`;

export const SWEEP_FUNCTIONS = [EXPIRE_RUNS, TO_APPLY, SARLAFT_TO_ASK, SEEDS_TO_ASK, CASES_TO_ASK, TO_EXPIRE, OF_CASE];

const FUNCTIONS = `identity.claim_step_runs, identity.extend_step_run, identity.finish_step_run, identity.step_run_backlog,
  identity.expire_step_runs, identity.step_runs_to_apply, identity.sarlaft_runs_to_ask, identity.seeds_to_ask, identity.cases_to_ask,
  identity.sessions_to_expire, identity.sessions_of_case`;

export const STEP_RUN_GRANTS = `
  revoke all on function ${FUNCTIONS} from public;
  grant execute on function ${FUNCTIONS} to identity_app`;
