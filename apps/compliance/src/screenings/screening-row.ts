import type { Hit } from '@constancia/name-screening';
import type { Decision, Facts, SubjectType } from '@constancia/rule-graph';
import type { ListCode } from '@constancia/reference-data';
import type { Trigger } from './screening-history.ts';

/** A hit that was dismissed before, as the store keeps it: a replay leaves it out again. */
export interface DismissedHit {
  list: Hit['list'];
  entry_id: string;
  party: string | null;
}

/** A screening as stored. */
export interface ScreeningRow {
  id: string;
  tenant_id: string;
  validation_id: string;
  validation_code: string;
  validation_version: number;
  rules_hash: Buffer;
  subject_ref: string;
  subject_type: SubjectType;
  trigger: Trigger;
  request_id: string | null;
  decision: Decision;
  score: number;
  list_hits: ListCode[];
  facts: Facts;
  dismissed: DismissedHit[];
  /** Payload fields of names that could not be compared with the lists. */
  names_not_compared: string[];
  /** Canonical JSON of a ScreeningOutcome. */
  result: string;
  list_versions: Partial<Record<ListCode, string>>;
  matcher_version: string;
  evaluator_version: number;
  case_id: string | null;
  credits_debited: number;
  created_at: Date;
}

/** What a view of a screening is made of, besides its outcome. */
export type ViewedScreening = Pick<
  ScreeningRow,
  | 'id'
  | 'validation_id'
  | 'validation_code'
  | 'validation_version'
  | 'subject_ref'
  | 'subject_type'
  | 'trigger'
  | 'matcher_version'
  | 'case_id'
  | 'credits_debited'
  | 'created_at'
>;
