/** What runs SQL past row-level security: the superuser of a test database. */
interface Store {
  query(sql: string, params?: unknown[]): Promise<unknown>;
}

/**
 * Fills a tenant with cases of all kinds, one every `stepSeconds` up to `until`, none overdue, made by the store itself: each as full as
 * a real one, every 97th with cells that a spreadsheet would run or that need quotes. Ids follow the time, as real ones do. No timelines.
 */
export async function manyCases(
  store: Store,
  tenantId: string,
  { count, until = new Date(), stepSeconds = 1 }: { count: number; until?: Date; stepSeconds?: number },
): Promise<void> {
  await store.query(
    `insert into compliance.review_case (id, tenant_id, subject_ref, subject_type, validation_code, validation_version,
         screening_id, last_screening_id, screening_decision, screening_score, rules_fired, list_hits, list_versions, subject,
         hits, status, priority, assignee, opened_at, due_at, resolved_at, decision, decision_reason, resolved_by,
         escalated_at, escalation_reason, ros_reference, ros_draft, head_seq, anchored_seq, head_hash, name_words)
     select overlay(gen_random_uuid()::text placing opened.id from 1 for 13)::uuid, $1, 'customer-' || n, 'natural', 'default', 1, gen_random_uuid(), gen_random_uuid(), 'review',
            n % 100, '{SARLAFT-PEP-001,SARLAFT-AMT-001}', '{PEP,OFAC}', '{"PEP": "2026-11-01", "OFAC": "2026-10-30"}',
            jsonb_build_object('full_name', case when n % 97 = 0 then '=HYPERLINK("http://x.example","' || n || '")'
                                                 else 'Persona Ficticia Número ' || n end,
                               'document_type', 'CC', 'document_number', (1000000000 + n)::text, 'country_code', 'CO'),
            '[]', case when n % 2 = 0 then 'resolved' else 'open' end, 'medium', 'ana', at, now() + interval '3 days',
            case when n % 2 = 0 then at + interval '1 hour' end, case when n % 2 = 0 then 'approve' end,
            case when n % 97 = 0 then E'- línea uno\r\n"línea dos", y más' when n % 2 = 0 then 'Otra fecha de nacimiento' end,
            case when n % 2 = 0 then 'ana' end, null, null,
            case when n % 1000 = 0 then 'ROS-2026-' || n end, case when n % 1000 = 0 then '{}'::jsonb end,
            1, 1, encode(sha256(n::text::bytea), 'hex'), array['persona', 'ficticia', 'n' || n]
       from generate_series(1, $2::int) n,
            lateral (select $3::timestamptz - make_interval(secs => ($2::int - n) * $4::float8) as at) moment,
            lateral (select regexp_replace(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), '^.{8}', '\\&-') as id) opened`,
    [tenantId, count, until, stepSeconds],
  );
}
