/** What runs SQL past row-level security: the superuser of a test database. */
interface Store {
  query(sql: string, params?: unknown[]): Promise<unknown>;
}

/**
 * Fills a tenant with events of four types, one a second up to now, and a delivery of each, nearly all delivered, made by the store itself.
 * The oldest fifty have an endpoint, a type and a failure of their own. Ids follow the time, as real ones do. No attempts.
 */
export async function manyDeliveries(
  store: Store,
  {
    tenantId,
    count,
    endpointId,
    rare,
  }: {
    tenantId: string;
    count: number;
    endpointId: string;
    rare: { endpointId: string; eventType: string };
  },
): Promise<void> {
  await store.query(
    `with made as (
       select n, at, n <= 50 as is_rare,
              overlay(gen_random_uuid()::text placing
                regexp_replace(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), '^.{8}', '\\&-') from 1 for 13)::uuid as id,
              case when n <= 50 then $5
                   else (array['seal.signature.completed', 'seal.envelope.completed', 'screening.completed', 'subject.verified'])[1 + n % 4] end as type,
              case when n <= 50 then 'billing' else (array['seal', 'seal', 'compliance', 'identity'])[1 + n % 4] end as module
         from generate_series(1, $2::int) n, lateral (select now() - make_interval(secs => $2::int - n) as at) moment),
     events as (
       insert into platform.event (event_id, tenant_id, module, event_type, occurred_at, body)
       select id, $1, module, type, at, '{"payload":{"id":"' || n || '"}}' from made)
     insert into platform.delivery (id, event_id, tenant_id, endpoint_id, module, event_type, status, attempts, next_attempt_at,
            last_http_status, last_attempt_at, delivered_at, failed_at, created_at)
     select gen_random_uuid(), id, $1, case when is_rare then $4::uuid else $3::uuid end, module, type,
            case when is_rare then 'failed' else 'delivered' end, 1, null, case when is_rare then 500 else 200 end, at,
            case when not is_rare then at end, case when is_rare then at end, at
       from made`,
    [tenantId, count, endpointId, rare.endpointId, rare.eventType],
  );
}
