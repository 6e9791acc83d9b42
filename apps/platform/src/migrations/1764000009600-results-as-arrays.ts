import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AS_OWNER } from './1764000000610-delivery-loop.sql.ts';

/** Results of deliveries as arrays instead of JSON (ADR 0265). record_attempts stays for processes of the former release. */
export class ResultsAsArrays1764000009600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RECORD_ATTEMPTS);
    await runner.query(`
      revoke all on function platform.record_attempts_v2 from public;
      grant execute on function platform.record_attempts_v2 to platform_app`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const DISABLED_AFTER = "interval '5 days'";
/** Fewer failures than this in five days are no evidence; and a row of failures ends by itself after as long without one. */
const DISABLED_FAILURES = 5;

/**
 * As record_attempts was, with an element per result (a shorter array means null for the others), and it answers the deliveries that were
 * not written. The endpoints' health is looked at only if one of them has failed before or fails now: those are locked.
 */
const RECORD_ATTEMPTS = `
  create function platform.record_attempts_v2(
    p_deliveries uuid[], p_lease_tokens uuid[], p_outcomes text[], p_retries_ms bigint[], p_pauses_ms bigint[], p_gone boolean[],
    p_ids uuid[], p_times timestamptz[], p_durations_ms integer[], p_first_bytes_ms integer[], p_urls text[],
    p_http_statuses integer[], p_error_codes text[], p_error_details text[], p_response_excerpts text[],
    p_endpoints uuid[], p_troubled boolean
  ) returns uuid[] ${AS_OWNER} as $$
  declare
    v_troubled boolean;
    v_written uuid[];
  begin
    -- Always in this order: two batches with the same endpoints must not wait for each other.
    perform 1 from webhook_endpoint e
      where e.id = any (p_endpoints) and (p_troubled or e.consecutive_failures > 0 or e.probe_until is not null)
      order by e.id for update;
    v_troubled := found;

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
        from unnest(p_deliveries, p_lease_tokens, p_outcomes, p_retries_ms, p_pauses_ms, p_gone, p_ids, p_times, p_durations_ms,
                    p_first_bytes_ms, p_urls, p_http_statuses, p_error_codes, p_error_details, p_response_excerpts) as r(
          delivery_id, lease_token, outcome, retry_ms, pause_ms, gone, id, at, duration_ms,
          first_byte_ms, url, http_status, error_code, error_detail, response_excerpt)
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
       where v_troubled
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
    select coalesce(array_agg(w.id), '{}') into v_written from written w;

    if cardinality(v_written) = cardinality(p_deliveries) then
      return '{}';
    end if;
    return array(select id from unnest(p_deliveries) id where id <> all (v_written));
  end $$`;
