import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a screening needs to know of cases: the open case of a subject and a validation code, and the subject's dismissed hits. A
 * function, so that it is read in one round trip together with everything else. Found by key whatever the statistics say.
 */
const CASE_CONTEXT = `
  create function compliance.case_context(
    p_tenant_id uuid, p_subject_ref text, p_subject_type text, p_validation_code text
  ) returns table (open_case jsonb, suppressions jsonb)
  language plpgsql stable security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  begin
    return query
      select (select to_jsonb(c) from (
                select k.id, k.version, k.status, k.priority, k.due_at, k.screening_decision, k.screening_score, k.rules_fired,
                       k.list_hits, k.hits, k.proposal, k.ros_reference is not null as ros_drafted
                  from review_case k
                 where k.tenant_id = p_tenant_id and k.subject_ref = p_subject_ref and k.subject_type = p_subject_type
                   and k.validation_code = p_validation_code and k.status <> 'resolved') c),
             (select coalesce(jsonb_agg(jsonb_build_object('subject_hash', h.subject_hash, 'list', h.list, 'entry_hash', h.entry_hash)), '[]')
                from suppressed_hit h
               where h.tenant_id = p_tenant_id and h.subject_ref = p_subject_ref and h.subject_type = p_subject_type
                 and h.withdrawn_at is null);
  end $$;
  revoke all on function compliance.case_context from public;
  grant execute on function compliance.case_context to compliance_app;`;

export class CaseContext1763700000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CASE_CONTEXT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function compliance.case_context`);
  }
}
