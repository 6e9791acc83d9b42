/** The functions of the delivery loop. `sendable`: the condition, in SQL, under which the endpoint e can be sent something now. */

/** The plan never depends on statistics that a young or a just emptied table has wrong. */
export const AS_OWNER =
  'language plpgsql security definer set search_path = platform, pg_temp set enable_seqscan = off set jit = off';

export const SENDABLE = 'e.enabled and (e.paused_until is null or e.paused_until <= now())';

const FAILING_AFTER = 5;

/** Endpoints that anything waits for, each found from the one before by one look into the index; null comes last. */
const WALK = `walk(id) as (
      (select d.endpoint_id from delivery d where d.next_attempt_at is not null order by d.endpoint_id, d.next_attempt_at limit 1)
      union all
      select (select d.endpoint_id from delivery d
               where d.next_attempt_at is not null and d.endpoint_id > w.id
               order by d.endpoint_id, d.next_attempt_at limit 1)
        from walk w where w.id is not null
    )`;

/** As before; `closed` is only what waits for an endpoint that was deleted. */
export const dueEndpoints = (sendable: string): string => `
  create or replace function platform.due_endpoints(p_limit integer)
  returns table (endpoint_id uuid, state text, due_since timestamptz) ${AS_OWNER} as $$
  begin
    return query
    with recursive ${WALK}
    select w.id, case when e.id is null then 'closed' else 'due' end, first.next_attempt_at
      from walk w
      left join webhook_endpoint e on e.id = w.id
      cross join lateral (
        select d.next_attempt_at from delivery d
         where d.endpoint_id = w.id and d.next_attempt_at is not null
           and (d.next_attempt_at <= now() or e.id is null)
           and (d.lease_until is null or d.lease_until <= now())
         order by d.next_attempt_at limit 1) first
     where w.id is not null
       and (e.id is null
            or (${sendable}
                and (e.consecutive_failures < ${FAILING_AFTER} or e.probe_until is null or e.probe_until <= now())))
     order by first.next_attempt_at
     limit p_limit;
  end $$`;

/**
 * As claim_deliveries was, and: an endpoint's own secret where it has one; `waited`: the delivery was due before its endpoint
 * could be sent anything, so its age says nothing about us.
 */
export const claimDeliveries = (sendable: string): string => `
  create or replace function platform.claim_deliveries_v2(p_endpoints uuid[], p_limits integer[], p_lease_seconds integer)
  returns table (delivery_id uuid, endpoint_id uuid, tenant_id uuid, event_id uuid, lease_token uuid, schedule_step integer,
                 attempts integer, failing boolean, url text, body text, traceparent text, webhook_secret bytea,
                 previous_webhook_secret bytea, waited boolean) ${AS_OWNER} as $$
  declare
    v_token constant uuid := gen_random_uuid();
    v_until constant timestamptz := clock_timestamp() + make_interval(secs => p_lease_seconds);
  begin
    return query
    with wanted as materialized (
      select w.id, w.take, e.consecutive_failures >= ${FAILING_AFTER} as failing, e.url, e.webhook_secret as secret,
             case when e.previous_webhook_secret_expires_at > now() then e.previous_webhook_secret end as previous,
             greatest(e.resumed_at, e.paused_until) as resumed
        from unnest(p_endpoints, p_limits) as w(id, take)
        join webhook_endpoint e on e.id = w.id
       where ${sendable}
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
      select d.id, w.failing, w.url, w.secret, w.previous, coalesce(d.next_attempt_at <= w.resumed, false) as waited
        from wanted w
        left join probing p on p.id = w.id
        cross join lateral (
          select x.id, x.next_attempt_at from delivery x
           where x.endpoint_id = w.id and x.next_attempt_at <= now() and (x.lease_until is null or x.lease_until <= now())
           order by x.next_attempt_at
           limit case when not w.failing then w.take when p.id is not null then 1 else 0 end
           for update skip locked) d
    ), taken as (
      update delivery d set status = 'delivering', lease_token = v_token, lease_until = v_until
        from due where d.id = due.id
      returning d.id, d.endpoint_id, d.tenant_id, d.event_id, d.schedule_step, d.attempts, due.failing, due.url, due.secret,
                due.previous, due.waited
    )
    select t.id, t.endpoint_id, t.tenant_id, t.event_id, v_token, t.schedule_step, t.attempts, t.failing, t.url,
           v.body, v.traceparent, coalesce(t.secret, n.webhook_secret),
           case when t.secret is not null then t.previous
                when n.previous_webhook_secret_expires_at > now() then n.previous_webhook_secret end,
           t.waited
      from taken t
      join tenant n on n.id = t.tenant_id
      left join lateral (select x.body, x.traceparent from event x where x.event_id = t.event_id limit 1) v on true
     order by t.event_id;
  end $$`;

/** As before, of endpoints that can be sent something now; what waited for its endpoint counts since that could be. */
export const deliveryLag = (sendable: string): string => `
  create or replace function platform.delivery_lag()
  returns table (oldest_undelivered_seconds double precision, most_overdue_seconds double precision, open_deliveries bigint)
  ${AS_OWNER} as $$
  begin
    return query
    with recursive ${WALK}
    select coalesce(extract(epoch from now() - min(o.oldest)), 0)::double precision,
           greatest(0, coalesce(extract(epoch from now() - min(o.due)), 0))::double precision,
           coalesce(sum(o.open), 0)::bigint
      from walk w
      join webhook_endpoint e on e.id = w.id and ${sendable}
     cross join lateral (
       select greatest(min(d.created_at), e.resumed_at) as oldest,
              greatest(min(d.next_attempt_at), e.resumed_at, e.paused_until) as due, count(*) as open
         from delivery d where d.endpoint_id = w.id and d.next_attempt_at is not null) o;
  end $$`;
