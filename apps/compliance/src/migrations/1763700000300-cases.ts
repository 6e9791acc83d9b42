import { appendOnly, dropHashChain, hashChain, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { JOURNAL, TIMELINE } from '../case-records/case-chains.ts';
import {
  ANCHOR_HEADS,
  APPEND_CASE_EVENTS,
  ATTACH_TO_CASE,
  BREACH_OVERDUE,
  CSV_CELL,
  NEXT_LINES,
  TYPE_ID,
} from './1763700000300-case-functions.ts';

/**
 * `case` is a word of SQL, hence the name. What a screening found is kept here too (the worst of all that were attached), so
 * that lists, statistics and the export read one table. `version` counts the changes: the ETag.
 */
const CASES = `
  create table compliance.review_case (
    id uuid primary key,
    tenant_id uuid not null,
    subject_ref text not null,
    subject_type text not null,
    validation_code text not null,
    validation_version integer not null,
    screening_id uuid not null,
    last_screening_id uuid not null,
    request_id uuid,
    screening_decision text not null,
    screening_score bigint not null,
    rules_fired text[] not null,
    list_hits text[] not null,
    list_versions jsonb not null,
    subject jsonb not null,
    hits jsonb not null,
    status text not null default 'open',
    priority text not null,
    assignee text,
    opened_at timestamptz(3) not null,
    due_at timestamptz(3) not null,
    sla_breached_at timestamptz(3),
    resolved_at timestamptz(3),
    decision text,
    decision_reason text,
    resolved_by text,
    four_eyes_approver text,
    proposal jsonb,
    escalated_at timestamptz(3),
    escalation_reason text,
    reopened_count integer not null default 0,
    ros_reference text,
    ros_draft jsonb,
    head_seq integer not null default 0,
    head_hash text not null default repeat('0', 64),
    anchored_seq integer not null default 0,
    version integer not null default 1,
    constraint review_case_subject_type check (subject_type in ('natural', 'legal')),
    constraint review_case_screening_decision check (screening_decision in ('review', 'reject')),
    constraint review_case_status check (status in ('open', 'in_review', 'escalated', 'pending_approval', 'resolved')),
    constraint review_case_priority check (priority in ('low', 'medium', 'high', 'critical')),
    constraint review_case_decision check (decision in ('approve', 'reject', 'false_positive', 'true_match')),
    constraint review_case_resolved check ((status = 'resolved') = (resolved_at is not null and decision is not null)),
    constraint review_case_proposal check ((status = 'pending_approval') = (proposal is not null)),
    constraint review_case_ros check ((ros_reference is null) = (ros_draft is null))
  );
  create unique index review_case_one_open
      on compliance.review_case (tenant_id, subject_ref, subject_type, validation_code) where status <> 'resolved';
  create index review_case_newest on compliance.review_case (tenant_id, id);
  create index review_case_opened on compliance.review_case (tenant_id, opened_at, id);
  create index review_case_unresolved on compliance.review_case (tenant_id, status, id) where status <> 'resolved';
  create index review_case_subject on compliance.review_case (tenant_id, subject_ref, id);
  create index review_case_due on compliance.review_case (due_at) where status <> 'resolved' and sla_breached_at is null;
  create index review_case_unanchored on compliance.review_case (tenant_id, id) where head_seq > anchored_seq`;

/**
 * Hits that a person found to be someone else. They count only while the subject's facts and the entry's contents are what they
 * were: both are known here by their hashes (see suppression.ts).
 */
const SUPPRESSIONS = `
  create table compliance.suppressed_hit (
    tenant_id uuid not null,
    subject_ref text not null,
    subject_type text not null,
    subject_hash text not null,
    list text not null,
    entry_hash text not null,
    entry_id text not null,
    case_id uuid not null references compliance.review_case,
    created_at timestamptz(3) not null default now(),
    withdrawn_at timestamptz(3),
    primary key (case_id, subject_hash, list, entry_hash)
  );
  create index suppressed_hit_subject on compliance.suppressed_hit (tenant_id, subject_ref, subject_type)
    where withdrawn_at is null`;

/** Heads of timelines as they were when they were anchored: found quickly; the journal's chain holds the same. */
const ANCHORS = `
  create table compliance.case_anchor (
    tenant_id uuid not null,
    case_id uuid not null,
    seq integer not null,
    hash text not null,
    journal_seq integer not null,
    primary key (case_id, seq)
  )`;

export class Cases1763700000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      CASES,
      tenantTable('compliance', 'review_case', ['select', 'update']),
      hashChain(TIMELINE),
      hashChain(JOURNAL),
      `grant execute on function compliance.append_case_journal to compliance_app`,
      SUPPRESSIONS,
      tenantTable('compliance', 'suppressed_hit'),
      ANCHORS,
      tenantTable('compliance', 'case_anchor', ['select']),
      appendOnly('compliance', 'case_anchor'),
      APPEND_CASE_EVENTS,
      ATTACH_TO_CASE,
      BREACH_OVERDUE,
      ANCHOR_HEADS,
      CSV_CELL,
      TYPE_ID,
      NEXT_LINES,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function compliance.next_lines, compliance.type_id, compliance.csv_cell, compliance.anchor_case_heads, compliance.breach_overdue_cases,
      compliance.attach_to_case, compliance.append_case_events`);
    await runner.query(`drop table compliance.case_anchor`);
    await runner.query(`drop function compliance.keep_case_anchor`);
    await runner.query(`drop table compliance.suppressed_hit`);
    await runner.query(dropHashChain(JOURNAL));
    await runner.query(dropHashChain(TIMELINE));
    await runner.query(`drop table compliance.review_case`);
  }
}
