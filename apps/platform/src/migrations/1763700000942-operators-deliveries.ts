import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators see of deliveries, endpoints and the delivery loop, whosever they are. No body leaves these functions. */
export class OperatorsDeliveries1763700000942 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [...FUNCTIONS, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql stable security definer set search_path = platform, pg_temp';

const FIND_TENANT = `
  create function platform.ops_find_tenant(p_name text) returns table (id uuid, slug text) ${AS_OWNER} as $$
  begin
    return query select t.id, t.slug from tenant t where t.slug = p_name or t.id::text = p_name;
  end $$`;

/**
 * Newest event first. Across all tenants only what failed has an index in that order: anything else goes by the delivery's own
 * id, which is as old as the delivery. p_before: the (event_id, id) of the row before.
 */
const LIST_DELIVERIES = `
  create function platform.ops_deliveries(
    p_id uuid, p_tenant_id uuid, p_endpoint_id uuid, p_module text, p_status text, p_event_type text, p_event_id uuid,
    p_since timestamptz, p_until timestamptz, p_before_event uuid, p_before_id uuid, p_limit integer
  ) returns table (id uuid, tenant_id uuid, slug text, endpoint_id uuid, module text, event_id uuid, event_type text, status text,
                   attempts integer, last_http_status integer, last_error text, last_attempt_at timestamptz,
                   next_attempt_at timestamptz, replay_run_id uuid, delivered_at timestamptz, created_at timestamptz)
  ${AS_OWNER} as $$
  declare
    v_tenant constant uuid := coalesce(p_tenant_id, (select e.tenant_id from webhook_endpoint e where e.id = p_endpoint_id));
    v_by_event constant boolean := v_tenant is not null or p_status = 'failed';
  begin
    return query execute format($q$
      select d.id, d.tenant_id, t.slug, d.endpoint_id, d.module, d.event_id, d.event_type, s.status, d.attempts,
             d.last_http_status, d.last_error, d.last_attempt_at,
             case when s.status = 'pending' then d.next_attempt_at end, d.replay_run_id, d.delivered_at, d.created_at
        from platform.delivery d
        left join platform.tenant t on t.id = d.tenant_id
        cross join lateral (
          select case when d.status = 'delivering' and d.lease_until <= now() then 'pending' else d.status end as status) s
       where true %s
       order by %s limit $11 $q$,
      concat(
        case when p_id is not null then ' and d.id = $12' end,
        case when v_tenant is not null then ' and d.tenant_id = $1' end,
        case when p_endpoint_id is not null then ' and d.endpoint_id = $2' end,
        case when p_module is not null then ' and d.module = $3' end,
        case when p_status is not null then ' and s.status = $4' end,
        case when p_status = 'failed' then ' and d.failed_at is not null' end,
        case when p_status in ('pending', 'delivering') then ' and d.next_attempt_at is not null' end,
        case when p_event_type is not null then ' and d.event_type = $5' end,
        case when p_event_id is not null then ' and d.event_id = $6' end,
        case when p_since is not null then case when v_by_event then ' and d.event_id' else ' and d.id' end || ' >= $7' end,
        case when p_until is not null then case when v_by_event then ' and d.event_id' else ' and d.id' end || ' < $8' end,
        case when p_before_id is not null
             then case when v_by_event then ' and (d.event_id, d.id) < ($9, $10)' else ' and d.id < $10' end end),
      case when v_by_event then 'd.event_id desc, d.id desc' else 'd.id desc' end)
    using v_tenant, p_endpoint_id, p_module, p_status, p_event_type, p_event_id, uuid_floor(p_since), uuid_floor(p_until),
          p_before_event, p_before_id, p_limit, p_id;
  end $$`;

/** The attempts at deliveries, oldest first, the last 200 of each. */
const ATTEMPTS = `
  create function platform.ops_attempts(p_deliveries uuid[])
  returns table (delivery_id uuid, number integer, at timestamptz, duration_ms integer, http_status integer, error_code text,
                 error_detail text, response_excerpt text) ${AS_OWNER} as $$
  begin
    return query
    select a.delivery_id, a.number, a.at, a.duration_ms, a.http_status, a.error_code, a.error_detail, left(a.response_excerpt, 1000)
      from unnest(p_deliveries) as w(id)
      cross join lateral (
        select * from delivery_attempt x where x.delivery_id = w.id order by x.id desc limit 200) a
     order by a.id;
  end $$`;

/** Endpoints by health; a page in the order of their ids. due: deliveries that could be sent now, counted up to 10,000. */
const ENDPOINTS = `
  create function platform.ops_endpoints(
    p_ids uuid[], p_tenant_id uuid, p_health text, p_after uuid, p_limit integer
  ) returns table (id uuid, tenant_id uuid, slug text, module text, url text, enabled boolean, event_types text[],
                   disabled_reason text, paused_until timestamptz, consecutive_failures integer, first_failure_at timestamptz,
                   due bigint) ${AS_OWNER} as $$
  begin
    return query
    select e.id, e.tenant_id, t.slug, e.module, e.url, e.enabled, e.event_types, e.disabled_reason,
           case when e.paused_until > now() then e.paused_until end, e.consecutive_failures, e.first_failure_at, w.due
      from webhook_endpoint e
      join tenant t on t.id = e.tenant_id
      cross join lateral (
        select count(*) as due from (
          select 1 from delivery d where d.endpoint_id = e.id and d.next_attempt_at <= now() limit 10000) x) w
     where (p_ids is null or e.id = any (p_ids)) and (p_tenant_id is null or e.tenant_id = p_tenant_id)
       and (p_after is null or e.id > p_after)
       and case p_health when 'failing' then e.enabled and e.consecutive_failures > 0
                         when 'paused' then e.enabled and e.paused_until > now()
                         when 'disabled' then not e.enabled
                         else true end
     order by e.id limit p_limit;
  end $$`;

/** Where an event came from, and what it is about: of its body only the members of the payload that are ids. */
const EVENT = `
  create function platform.ops_event(p_event_id uuid)
  returns table (event_id uuid, tenant_id uuid, slug text, module text, event_type text, occurred_at timestamptz,
                 traceparent text, ids jsonb) ${AS_OWNER} as $$
  declare
    v_ids jsonb;
  begin
    begin
      select jsonb_object_agg(m.key, m.value) into v_ids
        from event e cross join lateral jsonb_each_text(e.body::jsonb -> 'payload') m
       where e.event_id = p_event_id and m.key ~ '_id$'
         and m.value ~ '^([a-z]{3}_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$';
    exception when data_exception then
      v_ids := null; -- a text that jsonb does not keep, such as an escaped NUL
    end;
    return query
    select e.event_id, e.tenant_id, t.slug, e.module, e.event_type, e.occurred_at, e.traceparent, v_ids
      from event e join tenant t on t.id = e.tenant_id
     where e.event_id = p_event_id;
  end $$`;

/** The ledger's entries about objects of a tenant, oldest first. */
const ENTRIES = `
  create function platform.ops_entries(p_tenant_id uuid, p_refs uuid[])
  returns table (id uuid, kind text, amount bigint, balance_after bigint, ref_type text, ref_id uuid, created_at timestamptz)
  ${AS_OWNER} as $$
  begin
    return query
    select c.id, c.kind, c.amount, c.balance_after, c.ref_type, c.ref_id, c.created_at from credit_entry c
     where c.ref_id = any (p_refs) and c.tenant_id = p_tenant_id order by c.seq limit 100;
  end $$`;

/** How much waits: deliveries now due and under way, and the platform's own work. */
const LAG = `
  create function platform.ops_lag()
  returns table (due bigint, oldest_due_seconds double precision, delivering bigint, work jsonb) ${AS_OWNER} as $$
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
                                  and e.enabled and (e.paused_until is null or e.paused_until <= now())) as due,
               coalesce(extract(epoch from now() - min(d.next_attempt_at) filter (
                 where d.next_attempt_at <= now() and (d.lease_until is null or d.lease_until <= now())
                   and e.enabled and (e.paused_until is null or e.paused_until <= now()))), 0)::double precision as oldest,
               count(*) filter (where d.status = 'delivering' and d.lease_until > now()) as delivering
          from delivery d left join webhook_endpoint e on e.id = d.endpoint_id
         where d.next_attempt_at is not null) o;
  end $$`;

const FUNCTIONS = [FIND_TENANT, LIST_DELIVERIES, ATTEMPTS, ENDPOINTS, EVENT, ENTRIES, LAG];

const NAMES = ['ops_find_tenant', 'ops_deliveries', 'ops_attempts', 'ops_endpoints', 'ops_event', 'ops_entries', 'ops_lag']
  .map((name) => `platform.${name}`).join(', '); // prettier-ignore

const GRANTS = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to platform_app`;
