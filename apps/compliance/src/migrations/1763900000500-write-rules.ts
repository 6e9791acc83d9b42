import { allowCommit, type CommitList, commitListTables, commitWorkFunction } from '@constancia/credit-ledger';
import { allowChainTypes, chainTypeTable, type ChainTypes, guardChain } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { JOURNAL, TIMELINE } from '../case-records/case-chains.ts';

/** What commit_work may write: screenings. Cases are opened by attach_to_case. */
const COMMIT_LIST: CommitList = {
  tables: {
    screening: [
      'id', 'validation_id', 'validation_code', 'validation_version', 'subject_ref', 'subject_type', 'trigger', 'request_id',
      'decision', 'score', 'list_hits', 'facts', 'dismissed', 'names_not_compared', 'result', 'list_versions',
      'matcher_version', 'evaluator_version', 'case_id', 'credits_debited', 'created_at', 'rules_hash',
    ], // prettier-ignore
  },
  functions: ['attach_to_case'],
};

/** Breaches are noted and heads are anchored by sweeps, which work across tenants. */
const TIMELINE_TYPES: ChainTypes = {
  types: [
    'opened', 'screening_attached', 'rescreened', 'assigned', 'unassigned', 'commented', 'escalated', 'resolution_proposed',
    'resolution_returned', 'resolved', 'reopened', 'hit_dismissed', 'hit_confirmed', 'ros_drafted',
  ],
  acrossTenants: ['sla_breached'],
}; // prettier-ignore
const JOURNAL_TYPES: ChainTypes = { types: ['exported'], acrossTenants: ['anchored'] };

/** A breach is noted when the case's time is over; an anchor names heads that are in the timelines. */
const GUARD_TRUTH = `
  create function compliance.guard_case_event() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    if new.type = 'sla_breached' and not exists (
      select from review_case c where c.id = new.case_id and c.due_at <= now()) then
      raise exception 'the time of the case is not over' using errcode = 'CN403';
    end if;
    return new;
  end $$;
  revoke all on function compliance.guard_case_event from public;
  create trigger guard_truth before insert on compliance.case_event
    for each row execute function compliance.guard_case_event();

  create function compliance.guard_case_journal() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    if new.type = 'anchored' and exists (
      select from jsonb_to_recordset(new.data::jsonb -> 'heads') as h(case_id uuid, hash text, seq int)
       where not exists (select from case_event e
                          where e.case_id = h.case_id and e.seq = h.seq and e.hash = h.hash and e.tenant_id = new.tenant_id)) then
      raise exception 'an anchored head is in no timeline' using errcode = 'CN403';
    end if;
    return new;
  end $$;
  revoke all on function compliance.guard_case_journal from public;
  create trigger guard_truth before insert on compliance.case_journal
    for each row execute function compliance.guard_case_journal()`;

/** What the processes may write through the schema's own functions, stated in the store (ADR 0128). */
export class ComplianceWriteRules1763900000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      commitListTables('compliance'),
      allowCommit('compliance', COMMIT_LIST),
      commitWorkFunction('compliance'),
      chainTypeTable('compliance'),
      allowChainTypes(TIMELINE, TIMELINE_TYPES),
      allowChainTypes(JOURNAL, JOURNAL_TYPES),
      guardChain(TIMELINE),
      guardChain(JOURNAL),
      GUARD_TRUTH,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
