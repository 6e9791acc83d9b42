import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AS_OWNER, claimDeliveries, deliveryLag, dueEndpoints, SENDABLE } from './1764000000610-delivery-loop.sql.ts';

/**
 * The delivery loop with deliveries that wait for their endpoint: they are due as soon as it is enabled and not paused, and
 * until then nobody claims, fails or counts them. Copies of the former release work on these functions too.
 */
export class WaitingDeliveries1764000000610 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const loop = [dueEndpoints(SENDABLE), claimDeliveries(SENDABLE), deliveryLag(SENDABLE)];
    for (const sql of [...loop, CLAIM, FAIL_CLOSED, NOTICES, PRUNE, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** For copies of the former release. */
const CLAIM = `
  create or replace function platform.claim_deliveries(p_endpoints uuid[], p_limits integer[], p_lease_seconds integer)
  returns table (delivery_id uuid, endpoint_id uuid, tenant_id uuid, event_id uuid, lease_token uuid, schedule_step integer,
                 attempts integer, failing boolean, url text, body text, traceparent text, webhook_secret bytea,
                 previous_webhook_secret bytea) ${AS_OWNER} as $$
  begin
    return query
    select c.delivery_id, c.endpoint_id, c.tenant_id, c.event_id, c.lease_token, c.schedule_step, c.attempts, c.failing, c.url,
           c.body, c.traceparent, c.webhook_secret, c.previous_webhook_secret
      from claim_deliveries_v2(p_endpoints, p_limits, p_lease_seconds) c;
  end $$`;

/** Fails what waits for endpoints that were deleted: visible, and open to a replay once there is one again. */
const FAIL_CLOSED = `
  create or replace function platform.fail_closed(p_endpoints uuid[], p_limit integer) returns integer ${AS_OWNER} as $$
  declare
    failed integer;
  begin
    update delivery d
       set status = 'failed', next_attempt_at = null, lease_token = null, lease_until = null, failed_at = now(),
           last_error = 'endpoint_deleted'
     where d.id in (
       select x.id from delivery x
        where x.endpoint_id = any (p_endpoints) and x.next_attempt_at is not null
          and (x.lease_until is null or x.lease_until <= now())
          and not exists (select 1 from webhook_endpoint e where e.id = x.endpoint_id)
        limit p_limit for update skip locked);
    get diagnostics failed = row_count;
    return failed;
  end $$`;

/** As before; an endpoint of several modules is listed under the first of them. */
const NOTICES = `
  create or replace function platform.claim_disabled_notices(p_limit integer)
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
    select t.id, t.tenant_id, coalesce(t.module, t.modules[1]), t.url, t.disabled_reason, t.disabled_at, t.first_failure_at,
           t.announced_at is not null, n.owner_email, n.display_name, n.locale
      from taken t join tenant n on n.id = t.tenant_id;
  end $$`;

/**
 * Deliveries go after their events (whose days are dropped whole), so that no event looks as if it had never had one. What
 * waits for an endpoint goes too: nothing can be sent without its event.
 */
const PRUNE = `
  create or replace function platform.prune_deliveries(p_keep_days integer, p_limit integer) returns integer
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    gone integer;
  begin
    delete from delivery where id in (
      select d.id from delivery d
       where d.id < platform.uuid_floor(now() - make_interval(days => p_keep_days + 2))
         and (d.next_attempt_at is null
              or not exists (select 1 from webhook_endpoint e where e.id = d.endpoint_id and e.enabled))
       order by d.id limit p_limit for update skip locked);
    get diagnostics gone = row_count;
    return gone;
  end $$`;

const GRANTS = `
  revoke all on function platform.claim_deliveries_v2 from public;
  grant execute on function platform.claim_deliveries_v2 to platform_app`;
