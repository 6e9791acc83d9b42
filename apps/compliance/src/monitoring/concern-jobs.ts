import type { ListCode } from '@constancia/kernel';
import type { TenantKeyMaterial } from '@constancia/personal-data/keyring';
import type { SubjectPayload } from '@constancia/rule-graph';
import type { SubjectKey } from './rescreen-jobs.ts';

/**
 * validation_code, subject_type, subject_ref, screening_id, payload as JSON text; or that sealed: the id of the subject's key, the key as the
 * tenant's wraps it, the payload (bytes in hexadecimal).
 */
export type PackedSubject = [string, string, string, string, string, string | null, string | null, string | null];

/** A subject whose matches a change may have changed. */
export interface ConcernedSubject extends SubjectKey {
  screening_id: string;
  payload: SubjectPayload;
}

export type ConcernMessage =
  | { list: ListCode; packedChanges: readonly Uint8Array[]; keys: TenantKeyMaterial }
  /** JSON text of PackedSubject[]. */
  | { subjects: string };

export type ConcernReply = { ready: true } | { concerned: ConcernedSubject[] } | { failed: string };
