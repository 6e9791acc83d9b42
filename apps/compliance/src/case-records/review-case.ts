import type { Actor } from '@constancia/contracts';
import type { ListCode } from '@constancia/reference-data';
import type { CaseHit, CaseSubject } from './noticed-screening.ts';

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
  /** The principal; absent in proposals of the former release. */
  proposer?: Actor | undefined;
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
