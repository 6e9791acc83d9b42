import type { ListCode } from '@constancia/reference-data';
import type { CaseHit, CaseSubject } from './noticed-screening.ts';
import type { CasePriority } from './case-priority.ts';
import type { CaseStatus } from './case-states.ts';

/** How a case may end. */
export const CASE_DECISIONS = ['approve', 'reject', 'false_positive', 'true_match'] as const;
export type CaseDecision = (typeof CASE_DECISIONS)[number];

/** A decision and what it rests on. */
export interface Resolution {
  decision: CaseDecision;
  reason: string;
  /** Which facts tell the subject from the listed person. */
  discriminating_data: string[];
  /** For true_match: the hits that were confirmed. */
  hits: { list: ListCode; entry_id: string }[];
}

/** A resolution that waits for a second person. */
export interface Proposal extends Resolution {
  proposed_by: string;
  /** ISO 8601. */
  proposed_at: string;
}

/**
 * What is known already of a suspicious operation report (ROS) to the UIAF, for the compliance officer to complete and file
 * in SIREL. Kept as it was drafted.
 */
export interface RosDraft {
  reference: string;
  case_id: string;
  drafted_at: string;
  drafted_by: string;
  reporting_entity: string;
  subject: CaseSubject & { type: 'natural' | 'legal'; reference: string };
  detection: {
    screening_id: string;
    screened_at: string;
    decision: string;
    score: number;
    rules_fired: string[];
    list_versions: Record<string, string>;
  };
  matches: Pick<CaseHit, 'list' | 'entry_id' | 'name' | 'matched_name' | 'score'>[];
  analyst_reason: string;
  narrative: { 'es-CO': string; en: string };
  legal_basis: string[];
  to_complete: string[];
}

/** A row of compliance.review_case. Ids are UUIDs. */
export interface ReviewCase {
  id: string;
  tenant_id: string;
  subject_ref: string;
  subject_type: 'natural' | 'legal';
  validation_code: string;
  validation_version: number;
  screening_id: string;
  last_screening_id: string;
  screening_decision: 'review' | 'reject';
  screening_score: number;
  rules_fired: string[];
  list_hits: ListCode[];
  list_versions: Record<string, string>;
  subject: CaseSubject;
  hits: CaseHit[];
  status: CaseStatus;
  priority: CasePriority;
  assignee: string | null;
  opened_at: Date;
  due_at: Date;
  sla_breached_at: Date | null;
  resolved_at: Date | null;
  decision: CaseDecision | null;
  decision_reason: string | null;
  resolved_by: string | null;
  four_eyes_approver: string | null;
  proposal: Proposal | null;
  escalated_at: Date | null;
  escalation_reason: string | null;
  reopened_count: number;
  ros_reference: string | null;
  ros_draft: RosDraft | null;
  head_seq: number;
  head_hash: string;
  version: number;
}

/** Columns that an action may change. */
export type CaseColumns = Partial<
  Pick<
    ReviewCase,
    | 'status'
    | 'priority'
    | 'assignee'
    | 'due_at'
    | 'resolved_at'
    | 'decision'
    | 'decision_reason'
    | 'resolved_by'
    | 'four_eyes_approver'
    | 'proposal'
    | 'escalated_at'
    | 'escalation_reason'
    | 'reopened_count'
    | 'ros_reference'
    | 'ros_draft'
  >
>;
