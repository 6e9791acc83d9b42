/** NOTIFY channel of the identity schema: payload is the id of a subject whose data key was destroyed. */
export const SUBJECT_ERASED = 'subject_erased';

/** What KMS binds a subject's wrapped data key to. Ids are UUIDs. */
export function subjectKeyContext(tenantId: string, subjectId: string): Record<string, string> {
  return { purpose: 'subject', tenant: tenantId, subject: subjectId };
}

/** What the sealed record of a subject is bound to (AAD), beside tenant and subject. */
export const SUBJECT_RECORD_CONTEXT = 'subject';

/** The sealed record of a subject: JSON. */
export interface SealedSubjectRecord {
  document_number: string;
  full_name: string | null;
  /** YYYY-MM-DD. */
  birth_date: string | null;
  email: string | null;
  phone: string | null;
}
