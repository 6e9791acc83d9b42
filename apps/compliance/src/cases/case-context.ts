import type { SubjectKey } from '@constancia/personal-data';
import type { CaseStatus } from '../case-records/case-states.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { type CaseSecrets, openCaseSecrets } from '../case-records/case-secrets.ts';
import type { Suppression } from '../case-records/suppression.ts';

// prettier-ignore
type SeenColumn = 'id' | 'version' | 'priority' | 'due_at' | 'screening_decision' | 'screening_score' | 'rules_fired' | 'list_hits' | 'hits';

/** What the open case of a subject was found to be. */
export interface OpenCase extends Pick<ReviewCase, SeenColumn> {
  status: Exclude<CaseStatus, 'resolved'>;
  ros_drafted: boolean;
  /** Everything that is sealed together, opened: it is sealed again with what a screening changes. */
  secrets: CaseSecrets;
}

/** What must be known before a screening is decided and its unit of work is built. */
export interface CaseContext {
  openCase: OpenCase | null;
  suppressions: Suppression[];
}

/** What compliance.case_context answers. */
export interface CaseContextRow {
  open_case:
    | (Omit<OpenCase, 'due_at' | 'secrets'> &
        CaseSecrets & { due_at: string; subject_key_id: string | null; sealed: string | null })
    | null;
  suppressions: Suppression[];
}

/** The same as a screening takes it, of the row. */
export function contextOf(row: CaseContextRow | undefined, key: SubjectKey | null): CaseContext {
  return { openCase: row?.open_case ? openCaseOf(row.open_case, key) : null, suppressions: row?.suppressions ?? [] };
}

function openCaseOf(found: NonNullable<CaseContextRow['open_case']>, key: SubjectKey | null): OpenCase {
  const secrets = secretsOf(found, key);
  return { ...found, hits: secrets.hits, due_at: new Date(found.due_at), secrets };
}

/** A case that is shown was sealed with the key that its subject has now. */
function secretsOf(found: NonNullable<CaseContextRow['open_case']>, key: SubjectKey | null): CaseSecrets {
  const { id, sealed, subject_key_id } = found;
  if (sealed === null) {
    const { subject, hits, proposal, decision_reason, escalation_reason, ros_draft } = found;
    return { subject, hits, proposal, decision_reason, escalation_reason, ros_draft };
  }
  if (key?.id !== subject_key_id || key === null) throw new Error('an open case has the key of its subject');
  return openCaseSecrets(key, id, Buffer.from(sealed, 'hex'));
}
