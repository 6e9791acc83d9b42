import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the dispatcher does across tenants. Every function runs as the owner of the schema, decides by the database's clock,
 * and is safe to run in any number of processes at once.
 */
export class DeliveryLoop1763700000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of FUNCTIONS) await runner.query(sql);
    await runner.query(
      `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to platform_app`,
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** The plan never depends on statistics that a young or a just emptied table has wrong. */
const AS_OWNER =
  'language plpgsql security definer set search_path = platform, pg_temp set enable_seqscan = off set jit = off';

/** As many failures in a row make an endpoint a failing one: from then on it gets one delivery at a time. */
const FAILING_AFTER = 5;
const DISABLED_AFTER = "interval '5 days'";
/** Fewer failures than this in five days are no evidence; and a row of failures ends by itself after as long without one. */
const DISABLED_FAILURES = 5;

/**
 * Endpoints with work: due = something can be sent now; closed = deliveries wait for an endpoint that is gone or disabled.
 * Walks the open deliveries endpoint by endpoint (a loose index scan): the cost grows with endpoints, not with deliveries.
 */
const DUE_ENDPOINTS = `
  create function platform.due_endpoints(p_limit integer)
  returns table (endpoint_id uuid, state text, due_since timestamptz) ${AS_OWNER} as $$
  begin
    return query
    with recursive walk(id) as (
      (select d.endpoint_id from delivery d where d.next_attempt_at is not null order by d.endpoint_id, d.next_attempt_at limit 1)
      union all
      select (select d.endpoint_id from delivery d
               where d.next_attempt_at is not null and d.endpoint_id > w.id
               order by d.endpoint_id, d.next_attempt_at limit 1)
        from walk w where w.id is not null
    )
    select w.id, case when e.enabled then 'due' else 'closed' end, first.next_attempt_at
      from walk w
      left join webhook_endpoint e on e.id = w.id
      cross join lateral (
        select d.next_attempt_at from delivery d
         where d.endpoint_id = w.id and d.next_attempt_at is not null
           and (d.next_attempt_at <= now() or e.enabled is not true)
           and (d.lease_until is null or d.lease_until <= now())
         order by d.next_attempt_at limit 1) first
     where w.id is not null
       and (e.enabled is not true
            or ((e.paused_until is null or e.paused_until <= now())
                and (e.consecutive_failures < ${FAILING_AFTER} or e.probe_until is null or e.probe_until <= now())))
     order by first.next_attempt_at
     limit p_limit;
  end $$`;

/**
 * Leases due deliveries of many endpoints at once, p_limits[i] at the most for p_endpoints[i]; one for a failing endpoint,
 * and none while another process probes it. Nothing waits for a lock. The body is null when retention has taken the event.
 */
const CLAIM_DELIVERIES = `
  create function platform.claim_deliveries(p_endpoints uuid[], p_limits integer[], p_lease_seconds integer)
  returns table (delivery_id uuid, endpoint_id uuid, tenant_id uuid, event_id uuid, lease_token uuid, schedule_step integer,
                 attempts integer, failing boolean, url text, body text, traceparent text, webhook_secret bytea,
                 previous_webhook_secret bytea) ${AS_OWNER} as $$
  declare
    v_token constant uuid := gen_random_uuid();
    v_until constant timestamptz := clock_timestamp() + make_interval(secs => p_lease_seconds);
  begin
    return query
    with wanted as materialized (
      select w.id, w.take, e.consecutive_failures >= ${FAILING_AFTER} as failing, e.url
        from unnest(p_endpoints, p_limits) as w(id, take)
        join webhook_endpoint e on e.id = w.id
       where e.enabled and (e.paused_until is null or e.paused_until <= now())
    ), probing as (
      update webhook_endpoint e set probe_until = v_until
       where e.id in (
         select p.id from webhook_endpoint p
          where p.id in (select w.id from wanted w where w.failing) and (p.probe_until is null or p.probe_until <= now())
            and exists (select 1 from delivery d
                         where d.endpoint_id = p.id and d.next_attempt_at <= now()
                           and (d.lease_until is null or d.lease_until <= now()))
          for update skip locked)
      returning e.id
    ), due as materialized (
      select d.id, w.failing, w.url
        from wanted w
        left join probing p on p.id = w.id
        cross join lateral (
          select x.id from delivery x
           where x.endpoint_id = w.id and x.next_attempt_at <= now() and (x.lease_until is null or x.lease_until <= now())
           order by x.next_attempt_at
           limit case when not w.failing then w.take when p.id is not null then 1 else 0 end
           for update skip locked) d
    ), taken as (
      update delivery d set status = 'delivering', lease_token = v_token, lease_until = v_until
        from due where d.id = due.id
      returning d.id, d.endpoint_id, d.tenant_id, d.event_id, d.schedule_step, d.attempts, due.failing, due.url
    )
    select t.id, t.endpoint_id, t.tenant_id, t.event_id, v_token, t.schedule_step, t.attempts, t.failing, t.url,
           v.body, v.traceparent, n.webhook_secret,
           case when n.previous_webhook_secret_expires_at > now() then n.previous_webhook_secret end
      from taken t
      join tenant n on n.id = t.tenant_id
      left join lateral (select x.body, x.traceparent from event x where x.event_id = t.event_id limit 1) v on true
     order by t.event_id;
  end $$`;

/**
 * Writes what came of leased deliveries, many at once. Only the holder of the lease writes: a late result is dropped.
 * p_results: [{delivery_id, lease_token, outcome: delivered, retry, failed or released, retry_ms, pause_ms, gone, id, at,
 *   duration_ms, first_byte_ms, url, http_status, error_code, error_detail, response_excerpt}]; p_endpoints: theirs.
 * Keeps the endpoints' health beside it: a success ends a row of failures, and so do five days without one; 410
 * or five days of nothing but failures, several of them, disable.
 * A result of a URL that was replaced meanwhile says nothing about the new one.
 * Answers the deliveries that were written.
 */
const RECORD_ATTEMPTS = `
  create function platform.record_attempts(p_results json, p_endpoints uuid[], p_troubled boolean)
  returns setof uuid ${AS_OWNER} as $$
  begin
    -- Always in this order: two batches with the same endpoints must not wait for each other.
    perform 1 from webhook_endpoint e
      where e.id = any (p_endpoints) and (p_troubled or e.consecutive_failures > 0 or e.probe_until is not null)
      order by e.id for update;

    return query
    with written as (
      update delivery d
         set status = case r.outcome when 'delivered' then 'delivered' when 'failed' then 'failed' else 'pending' end,
             next_attempt_at = case r.outcome when 'released' then d.next_attempt_at
                                              when 'retry' then now() + r.retry_ms * interval '1 millisecond' end,
             attempts = d.attempts + (r.outcome <> 'released')::integer,
             schedule_step = d.schedule_step + (r.outcome <> 'released')::integer,
             lease_token = null, lease_until = null,
             last_http_status = case when r.outcome = 'released' then d.last_http_status else r.http_status end,
             last_error = case when r.outcome = 'released' then d.last_error else r.error_code end,
             last_attempt_at = coalesce(r.at, d.last_attempt_at),
             delivered_at = case when r.outcome = 'delivered' then now() else d.delivered_at end,
             failed_at = case when r.outcome = 'failed' then now() end
        from json_to_recordset(p_results) as r(
          delivery_id uuid, lease_token uuid, outcome text, retry_ms bigint, pause_ms bigint, gone boolean, id uuid,
          at timestamptz, duration_ms integer, first_byte_ms integer, url text, http_status integer, error_code text,
          error_detail text, response_excerpt text)
       where d.id = r.delivery_id and d.lease_token = r.lease_token
      returning d.id, d.tenant_id, d.endpoint_id, d.attempts as number, r.outcome, r.pause_ms, r.gone,
                r.id as attempt_id, r.at, r.duration_ms, r.first_byte_ms, r.url, r.http_status, r.error_code,
                r.error_detail, r.response_excerpt
    ), kept as (
      insert into delivery_attempt (id, delivery_id, tenant_id, number, at, duration_ms, first_byte_ms, url, http_status,
                                    error_code, error_detail, response_excerpt)
      select w.attempt_id, w.id, w.tenant_id, w.number, w.at, w.duration_ms, w.first_byte_ms, w.url, w.http_status,
             w.error_code, w.error_detail, w.response_excerpt
        from written w where w.outcome <> 'released'
    ), health as (
      select w.endpoint_id, bool_or(w.outcome = 'delivered') as succeeded, bool_or(coalesce(w.gone, false)) as gone,
             count(*) filter (where w.outcome in ('retry', 'failed'))::integer as failures,
             min(w.at) filter (where w.outcome in ('retry', 'failed')) as failed_first, max(w.pause_ms) as pause_ms
        from written w join webhook_endpoint e on e.id = w.endpoint_id and e.url = coalesce(w.url, e.url)
       group by w.endpoint_id
    ), rows_of_failures as (
      select h.*, case when aged.out then h.failed_first else coalesce(e.first_failure_at, h.failed_first) end as since,
             case when aged.out then 0 else e.consecutive_failures end + h.failures as in_a_row
        from health h join webhook_endpoint e on e.id = h.endpoint_id
       cross join lateral (select h.failures > 0 and coalesce(e.last_failure_at, e.first_failure_at, now())
                                                       < now() - ${DISABLED_AFTER} as out) aged
       where h.failures > 0 or e.consecutive_failures > 0 or e.probe_until is not null
    ), judged as (
      select f.*, f.gone or (not f.succeeded and f.failures > 0 and f.in_a_row >= ${DISABLED_FAILURES}
                             and f.since < now() - ${DISABLED_AFTER}) as disable
        from rows_of_failures f
    ), endpoints as (
      update webhook_endpoint e
         set consecutive_failures = case when j.succeeded then 0 else j.in_a_row end,
             first_failure_at = case when not j.succeeded then j.since end,
             last_failure_at = case when j.succeeded then null when j.failures > 0 then now() else e.last_failure_at end,
             paused_until = greatest(e.paused_until, now() + j.pause_ms * interval '1 millisecond'),
             probe_until = null,
             enabled = e.enabled and not j.disable,
             disabled_reason = case when e.enabled and j.disable then case when j.gone then 'gone' else 'failing' end
                                    else e.disabled_reason end,
             disabled_at = case when e.enabled and j.disable then now() else e.disabled_at end,
             notice_due_at = case when e.enabled and j.disable then now() else e.notice_due_at end
        from judged j where e.id = j.endpoint_id
    )
    select w.id from written w;
  end $$`;

/** Fails what waits for endpoints that are gone or disabled: visible, and open to a replay once the endpoint is back. */
const FAIL_CLOSED = `
  create function platform.fail_closed(p_endpoints uuid[], p_limit integer) returns integer ${AS_OWNER} as $$
  declare
    failed integer;
  begin
    update delivery d
       set status = 'failed', next_attempt_at = null, lease_token = null, lease_until = null, failed_at = now(),
           last_error = case when exists (select 1 from webhook_endpoint e where e.id = d.endpoint_id)
                             then 'endpoint_disabled' else 'endpoint_deleted' end
     where d.id in (
       select x.id from delivery x
        where x.endpoint_id = any (p_endpoints) and x.next_attempt_at is not null
          and (x.lease_until is null or x.lease_until <= now())
          and not exists (select 1 from webhook_endpoint e where e.id = x.endpoint_id and e.enabled)
        limit p_limit for update skip locked);
    get diagnostics failed = row_count;
    return failed;
  end $$`;

/**
 * Endpoints that the dispatcher has disabled and whose owner is still to be told; taking one puts it off by a minute. What is
 * done about a notice names the time of disabling (milliseconds): meanwhile the endpoint may have come back and failed again.
 */
const NOTICES = [
  `
  create function platform.claim_disabled_notices(p_limit integer)
  returns table (endpoint_id uuid, tenant_id uuid, module text, url text, disabled_reason text, disabled_at timestamptz,
                 first_failure_at timestamptz, announced boolean, owner_email text, display_name text, locale text)
  ${AS_OWNER} as $$
  begin
    return query
    with taken as (
      update webhook_endpoint e set notice_due_at = now() + interval '1 minute'
       where e.id in (select x.id from webhook_endpoint x where x.notice_due_at <= now()
                       order by x.notice_due_at limit p_limit for update skip locked)
      returning e.*
    )
    select t.id, t.tenant_id, t.module, t.url, t.disabled_reason, t.disabled_at, t.first_failure_at,
           t.announced_at is not null, n.owner_email, n.display_name, n.locale
      from taken t join tenant n on n.id = t.tenant_id;
  end $$`,
  `
  create function platform.announce_disabled(p_endpoint_id uuid, p_disabled_at timestamptz, p_event jsonb)
  returns boolean ${AS_OWNER} as $$
  begin
    update webhook_endpoint e set announced_at = now()
     where e.id = p_endpoint_id and date_trunc('milliseconds', e.disabled_at) = p_disabled_at
       and e.announced_at is null and e.disabled_reason is not null;
    if not found then
      return false;
    end if;
    perform platform_v1.emit_events(jsonb_build_array(p_event));
    return true;
  end $$`,
  `
  create function platform.finish_disabled_notice(p_endpoint_id uuid, p_disabled_at timestamptz) returns void ${AS_OWNER} as $$
  begin
    update webhook_endpoint e set notice_due_at = null
     where e.id = p_endpoint_id and date_trunc('milliseconds', e.disabled_at) = p_disabled_at;
  end $$`,
];

/** How far behind the dispatcher is, in seconds; 0 when nothing waits. Reads every open delivery: for a metric, not a loop. */
const DELIVERY_LAG = `
  create function platform.delivery_lag()
  returns table (oldest_undelivered_seconds double precision, most_overdue_seconds double precision, open_deliveries bigint)
  ${AS_OWNER} as $$
  begin
    return query
    select coalesce(extract(epoch from now() - min(d.created_at)), 0)::double precision,
           greatest(0, coalesce(extract(epoch from now() - min(d.next_attempt_at)
             filter (where e.enabled and (e.paused_until is null or e.paused_until <= now()))), 0))::double precision,
           count(*)
      from delivery d left join webhook_endpoint e on e.id = d.endpoint_id
     where d.next_attempt_at is not null;
  end $$`;

const FUNCTIONS = [DUE_ENDPOINTS, CLAIM_DELIVERIES, RECORD_ATTEMPTS, FAIL_CLOSED, ...NOTICES, DELIVERY_LAG];

const NAMES = [
  'due_endpoints', 'claim_deliveries', 'record_attempts', 'fail_closed', 'claim_disabled_notices', 'announce_disabled',
  'finish_disabled_notice', 'delivery_lag',
].map((name) => `platform.${name}`).join(', '); // prettier-ignore
