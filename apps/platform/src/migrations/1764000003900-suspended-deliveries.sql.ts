/** Deliveries of suspended tenants wait as those of disabled endpoints do: nobody claims, fails or counts them. */

/** The plan never depends on statistics that a young or a just emptied table has wrong. */
const AS_OWNER =
  'language plpgsql security definer set search_path = platform, pg_temp set enable_seqscan = off set jit = off';

const CAN_BE_SENT = `e.enabled and (e.paused_until is null or e.paused_until <= now()) and n.suspended_at is null`;

/** As before. Here, because a limit that suspended tenants fill would leave nothing for others. */
const DUE_ENDPOINTS = `
  create or replace function platform.due_endpoints(p_limit integer)
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
    select w.id, case when e.id is null then 'closed' else 'due' end, first.next_attempt_at
      from walk w
      left join webhook_endpoint e on e.id = w.id
      left join tenant n on n.id = e.tenant_id
      cross join lateral (
        select d.next_attempt_at from delivery d
         where d.endpoint_id = w.id and d.next_attempt_at is not null
           and (d.next_attempt_at <= now() or e.id is null)
           and (d.lease_until is null or d.lease_until <= now())
         order by d.next_attempt_at limit 1) first
     where w.id is not null
       and (e.id is null
            or (${CAN_BE_SENT}
                and (e.consecutive_failures < 5 or e.probe_until is null or e.probe_until <= now())))
     order by first.next_attempt_at
     limit p_limit;
  end $$`;

/** Around the claim of before, which every release calls by the same name. */
const CLAIM = `
  alter function platform.claim_deliveries_v2(uuid[], integer[], integer) rename to claim_deliveries_of;
  create function platform.claim_deliveries_v2(p_endpoints uuid[], p_limits integer[], p_lease_seconds integer)
  returns table (delivery_id uuid, endpoint_id uuid, tenant_id uuid, event_id uuid, lease_token uuid, schedule_step integer,
                 attempts integer, failing boolean, url text, body text, traceparent text, webhook_secret bytea,
                 previous_webhook_secret bytea, waited boolean)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    v_endpoints uuid[];
    v_limits integer[];
  begin
    select array_agg(w.id), array_agg(w.take) into v_endpoints, v_limits
      from unnest(p_endpoints, p_limits) as w(id, take)
      join webhook_endpoint e on e.id = w.id
      join tenant n on n.id = e.tenant_id and n.suspended_at is null;
    return query select * from claim_deliveries_of(v_endpoints, v_limits, p_lease_seconds);
  end $$;
  revoke all on function platform.claim_deliveries_v2 from public;
  grant execute on function platform.claim_deliveries_v2 to platform_app;
  revoke execute on function platform.claim_deliveries_of from platform_app`;

/** As before, of endpoints that can be sent something now. */
const DELIVERY_LAG = `
  create or replace function platform.delivery_lag()
  returns table (oldest_undelivered_seconds double precision, most_overdue_seconds double precision, open_deliveries bigint)
  ${AS_OWNER} as $$
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
    select coalesce(extract(epoch from now() - min(o.oldest)), 0)::double precision,
           greatest(0, coalesce(extract(epoch from now() - min(o.due)), 0))::double precision,
           coalesce(sum(o.open), 0)::bigint
      from walk w
      join webhook_endpoint e on e.id = w.id
      join tenant n on n.id = e.tenant_id and ${CAN_BE_SENT}
     cross join lateral (
       select greatest(min(d.created_at), e.resumed_at) as oldest,
              greatest(min(d.next_attempt_at), e.resumed_at, e.paused_until) as due, count(*) as open
         from delivery d where d.endpoint_id = w.id and d.next_attempt_at is not null) o;
  end $$`;

/** As before, without what waits for a suspended tenant. */
const OPS_LAG = `
  create or replace function platform.ops_lag()
  returns table (due bigint, oldest_due_seconds double precision, delivering bigint, work jsonb)
  language plpgsql stable security definer set search_path = platform, pg_temp as $$
  begin
    return query
    select o.due, o.oldest, o.delivering,
      (select jsonb_agg(jsonb_build_object('kind', k.kind, 'open', k.open, 'oldest_seconds', round(k.oldest)) order by k.kind) from (
        select 'recovery-mail' as kind, count(*) as open,
               coalesce(extract(epoch from now() - min(r.created_at)), 0) as oldest from recovery_request r
        union all
        select 'replay-run', count(*), coalesce(extract(epoch from now() - min(r.created_at)), 0)
          from replay_run r where r.status = 'running'
        union all
        select 'endpoint-notice', count(*), coalesce(extract(epoch from now() - min(e.disabled_at)), 0)
          from webhook_endpoint e where e.notice_due_at is not null
        union all
        select 'stale-hold', count(*), coalesce(extract(epoch from now() - min(h.expires_at)), 0)
          from credit_hold h where h.status = 'held' and h.expires_at < now()) k)
      from (
        select count(*) filter (where d.next_attempt_at <= now() and (d.lease_until is null or d.lease_until <= now())
                                  and ${CAN_BE_SENT}) as due,
               coalesce(extract(epoch from now() - min(d.next_attempt_at) filter (
                 where d.next_attempt_at <= now() and (d.lease_until is null or d.lease_until <= now())
                   and ${CAN_BE_SENT})), 0)::double precision as oldest,
               count(*) filter (where d.status = 'delivering' and d.lease_until > now()) as delivering
          from delivery d left join webhook_endpoint e on e.id = d.endpoint_id left join tenant n on n.id = d.tenant_id
         where d.next_attempt_at is not null) o;
  end $$`;

export const DELIVERIES_OF_ACTIVE_TENANTS = [DUE_ENDPOINTS, CLAIM, DELIVERY_LAG, OPS_LAG];
