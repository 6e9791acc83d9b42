import type { ListCode } from '@constancia/kernel';
import type { SubjectPayload } from '@constancia/rule-graph';
import type { SubjectKey } from './rescreen-jobs.ts';

/** validation_code, subject_type, subject_ref, screening_id, payload as JSON text. */
export type PackedSubject = [string, string, string, string, string];

/** A subject whose matches a change may have changed. */
export interface ConcernedSubject extends SubjectKey {
  screening_id: string;
  payload: SubjectPayload;
}

export type ConcernMessage =
  | { list: ListCode; packedChanges: readonly Uint8Array[] }
  /** JSON text of PackedSubject[]. */
  | { subjects: string };

export type ConcernReply = { ready: true } | { concerned: ConcernedSubject[] } | { failed: string };
