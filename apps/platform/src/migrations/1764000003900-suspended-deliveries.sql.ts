import { claimDeliveries, deliveryLag, dueEndpoints, SENDABLE } from './1764000000610-delivery-loop.sql.ts';

/** Deliveries of suspended tenants wait as those of disabled endpoints do: nobody claims, fails or counts them. */
const SENDABLE_NOW = `${SENDABLE}
  and exists (select from tenant s where s.id = e.tenant_id and s.suspended_at is null)`;

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
                                  and ${SENDABLE_NOW}) as due,
               coalesce(extract(epoch from now() - min(d.next_attempt_at) filter (
                 where d.next_attempt_at <= now() and (d.lease_until is null or d.lease_until <= now())
                   and ${SENDABLE_NOW})), 0)::double precision as oldest,
               count(*) filter (where d.status = 'delivering' and d.lease_until > now()) as delivering
          from delivery d left join webhook_endpoint e on e.id = d.endpoint_id
         where d.next_attempt_at is not null) o;
  end $$`;

export const DELIVERIES_OF_ACTIVE_TENANTS = [
  dueEndpoints(SENDABLE_NOW),
  claimDeliveries(SENDABLE_NOW),
  deliveryLag(SENDABLE_NOW),
  OPS_LAG,
];
