import { dropHashChain, hashChain, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TRAIL } from '../sessions/session-chain.ts';
import { STEP_RUN_FUNCTIONS, STEP_RUN_GRANTS, SWEEP_FUNCTIONS } from './1763700000110-step-run-functions.ts';

/**
 * A version of a flow. Steps of a published one never change: sessions are pinned to it. seed_request: the compliance module is
 * still to be asked, under this id, to give the tenant its canonical validation.
 */
const FLOW = `
  create table identity.flow (
    id uuid primary key,
    tenant_id uuid not null,
    code text not null check (code ~ '^[a-z0-9_-]{1,64}$'),
    type text not null check (type ~ '^[a-z0-9_-]{1,64}$'),
    version int not null check (version > 0),
    status text not null check (status in ('draft', 'published', 'deprecated')),
    steps jsonb not null check (jsonb_typeof(steps) = 'array'),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    published_at timestamptz(3),
    seed_request uuid,
    seed_asked_at timestamptz,
    constraint flow_version unique (tenant_id, type, code, version)
  );
  create unique index flow_one_published on identity.flow (tenant_id, type, code) where status = 'published';
  create index flow_seed_asked on identity.flow (seed_asked_at nulls first) where seed_request is not null`;

/**
 * A subject's way through a flow. current_step: index into the flow's steps, null when it is over. attempts: used-up tries by step
 * type. flags: why it must end with a person's review, whatever the last step says. sealed_context: the answers, under the
 * subject's data key. case_*: where the compliance module keeps a case about it, and whether our decision has arrived there.
 */
const FLOW_SESSION = `
  create table identity.flow_session (
    id uuid primary key,
    tenant_id uuid not null,
    flow_id uuid not null references identity.flow,
    subject_id uuid not null,
    external_ref text,
    document_type text not null,
    document_country text not null,
    trigger text,
    token_hash bytea not null check (octet_length(token_hash) = 32),
    status text not null default 'in_progress' check (status in ('in_progress', 'manual_review', 'completed', 'failed')),
    current_step int check (current_step >= 0),
    attempts jsonb not null default '{}',
    last_outcome text check (last_outcome in ('advance', 'processing', 'retry', 'review', 'reject')),
    last_reason text,
    rejection_reason text,
    flags text[] not null default '{}',
    sealed_context bytea,
    list_hits text[] not null default '{}',
    screening_id text,
    case_id text,
    case_request jsonb,
    case_asked_at timestamptz,
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    completed_at timestamptz(3),
    check ((status = 'in_progress') = (current_step is not null)),
    check ((status = 'failed') = (rejection_reason is not null))
  );
  create unique index flow_session_token on identity.flow_session (token_hash);
  create index flow_session_newest on identity.flow_session (tenant_id, id desc);
  create index flow_session_subject on identity.flow_session (subject_id, id desc);
  create index flow_session_expiry on identity.flow_session (expires_at) where status = 'in_progress';
  create index flow_session_case on identity.flow_session (case_id) where case_id is not null;
  create index flow_session_case_asked on identity.flow_session (case_asked_at nulls first)
    where case_id is not null and (status = 'manual_review' or case_request is not null)`;

/**
 * One piece of work of a step, done outside the request: queued → running (leased by a worker) → done (it has an outcome) → applied
 * (session and money have moved by it). attempt numbers the runs of a session's step type. input: ids and policy, no personal
 * data. result_sealed: what the engine found, under the subject's data key. The idempotency columns and request_id are those of
 * the request that started it: whoever applies the outcome stores the answer for that key.
 */
const STEP_RUN = `
  create table identity.step_run (
    id uuid primary key,
    tenant_id uuid not null,
    session_id uuid not null references identity.flow_session,
    subject_id uuid not null,
    step_type text not null check (step_type in ('document', 'face', 'sarlaft')),
    attempt int not null check (attempt > 0),
    input_hash bytea not null check (octet_length(input_hash) = 32),
    input jsonb not null,
    status text not null default 'queued' check (status in ('queued', 'running', 'done', 'applied')),
    hold_id uuid,
    lease_token uuid,
    lease_until timestamptz,
    claims int not null default 0,
    asked_at timestamptz,
    engine text,
    model_version text,
    outcome text check (outcome in ('pass', 'reject', 'review', 'retry', 'error')),
    reason text,
    result_sealed bytea,
    effect text,
    attempts_left int,
    idempotency_key uuid,
    fingerprint bytea,
    request_id text,
    created_at timestamptz(3) not null default now(),
    started_at timestamptz(3),
    finished_at timestamptz(3),
    applied_at timestamptz(3),
    deadline_at timestamptz(3) not null,
    constraint step_run_attempt unique (session_id, step_type, attempt),
    check ((status in ('done', 'applied')) = (outcome is not null))
  );
  create unique index step_run_one_open on identity.step_run (session_id) where status <> 'applied';
  create index step_run_due on identity.step_run (created_at) where status in ('queued', 'running');
  create index step_run_done on identity.step_run (finished_at) where status = 'done'`;

/** A sequence of poses that a subject is asked for: issued once, good for one attempt, for a short time by the server's clock. */
const LIVENESS_CHALLENGE = `
  create table identity.liveness_challenge (
    id uuid primary key,
    tenant_id uuid not null,
    session_id uuid not null references identity.flow_session,
    poses text[] not null,
    issued_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    used_at timestamptz(3)
  );
  create index liveness_challenge_session on identity.liveness_challenge (session_id, id desc)`;

const TABLES = ['flow', 'flow_session', 'step_run', 'liveness_challenge'];

/**
 * Adds events to the trail of a session. p_events: `[{type, actor, step, from, to, data}]`, data canonical JSON as text. Refuses
 * another tenant's session.
 */
const APPEND_EVENTS = `
  create function identity.append_session_events(p_tenant_id uuid, p_session_id uuid, p_events jsonb) returns void
  language plpgsql security definer set search_path = identity, pg_temp as $$
  declare
    event jsonb;
  begin
    perform 1 from flow_session where id = p_session_id and tenant_id = p_tenant_id;
    if not found then
      raise exception 'the tenant has no such session' using errcode = 'no_data_found';
    end if;
    for event in select e from jsonb_array_elements(p_events) with ordinality as x(e, nth) order by nth loop
      perform append_session_event(p_tenant_id, p_session_id, event);
    end loop;
  end $$;
  revoke all on function identity.append_session_events from public;
  grant execute on function identity.append_session_events to identity_app`;

/** Whose a session token is; no rows when it is nobody's or has been out of use for a day. */
const RESOLVE_TOKEN = `
  create function identity.resolve_session_token(p_token_hash bytea)
  returns table (session_id uuid, tenant_id uuid, subject_id uuid)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select id, tenant_id, subject_id from flow_session
     where token_hash = p_token_hash and expires_at + interval '24 hours' > now()
  $$;
  revoke all on function identity.resolve_session_token from public;
  grant execute on function identity.resolve_session_token to identity_app`;

export class FlowsAndSessions1763700000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      FLOW,
      FLOW_SESSION,
      STEP_RUN,
      LIVENESS_CHALLENGE,
      ...TABLES.map((table) => tenantTable('identity', table)),
      hashChain(TRAIL),
      APPEND_EVENTS,
      RESOLVE_TOKEN,
      ...STEP_RUN_FUNCTIONS,
      ...SWEEP_FUNCTIONS,
      STEP_RUN_GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function identity.claim_step_runs, identity.extend_step_run, identity.finish_step_run,
      identity.step_run_backlog, identity.expire_step_runs, identity.step_runs_to_apply, identity.sarlaft_runs_to_ask,
      identity.cases_to_ask, identity.seeds_to_ask, identity.sessions_to_expire, identity.sessions_of_case, identity.resolve_session_token,
      identity.append_session_events`);
    await runner.query(dropHashChain(TRAIL));
    await runner.query(
      `drop table identity.liveness_challenge, identity.step_run, identity.flow_session, identity.flow`,
    );
  }
}
