import type { ListCode } from '@constancia/kernel';
import type { CasePriority } from './case-priority.ts';
import type { CaseStatus } from './case-states.ts';
import type { CaseHit } from './noticed-screening.ts';
import type { Suppression } from './suppression.ts';

/** What the open case of a subject was found to be. */
export interface OpenCase {
  id: string;
  version: number;
  status: Exclude<CaseStatus, 'resolved'>;
  priority: CasePriority;
  due_at: Date;
  screening_decision: 'review' | 'reject';
  screening_score: number;
  rules_fired: string[];
  list_hits: ListCode[];
  hits: CaseHit[];
  ros_drafted: boolean;
}

/** What must be known before a screening is decided and its unit of work is built. */
export interface CaseContext {
  openCase: OpenCase | null;
  suppressions: Suppression[];
}

/** What compliance.case_context answers. */
export interface CaseContextRow {
  open_case: (Omit<OpenCase, 'due_at'> & { due_at: string }) | null;
  suppressions: Suppression[];
}

/** The same as a screening takes it, of the row. */
export function contextOf(row: CaseContextRow | undefined): CaseContext {
  const found = row?.open_case;
  return {
    openCase: found ? { ...found, due_at: new Date(found.due_at) } : null,
    suppressions: row?.suppressions ?? [],
  };
}
