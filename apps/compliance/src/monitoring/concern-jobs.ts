import type { ListCode } from '@constancia/reference-data';
import type { TenantKeyMaterial } from '@constancia/personal-data/keyring';
import type { SubjectPayload } from '@constancia/rule-graph';
import type { SubjectKey } from './rescreen-job.entity.ts';

/**
 * Of all subjects, in their order: validation_code, subject_type, subject_ref, screening_id, payload as JSON text, and how many bytes it has
 * sealed: 0 where the release before wrote it in the clear.
 */
export type PackedSubjects = [string[], string[], string[], string[], string[], number[]];

/** Subjects as the store hands them on. */
export interface PackedBatch {
  /** JSON text of PackedSubjects. */
  subjects: string;
  /** Their sealed payloads, one after the other. */
  sealed: Uint8Array;
}

/** A subject whose matches a change may have changed. */
export interface ConcernedSubject extends SubjectKey {
  screening_id: string;
  payload: SubjectPayload;
}

export type ConcernMessage =
  { list: ListCode; packedChanges: readonly Uint8Array[]; keys: TenantKeyMaterial } | PackedBatch;

export type ConcernReply = { ready: true } | { concerned: ConcernedSubject[] } | { failed: string };
