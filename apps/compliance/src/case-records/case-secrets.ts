import type { SubjectKey, TenantKeyring } from '@constancia/personal-data';
import type { ReviewCase } from './review-case.entity.ts';

/** What of a case is personal data, or was written about a person: sealed together with the subject's key. */
export type CaseSecrets = Pick<
  ReviewCase,
  'subject' | 'hits' | 'proposal' | 'decision_reason' | 'escalation_reason' | 'ros_draft'
>;

/** The columns that keep it, and which of them are jsonb. Sealed, the columns in the clear say no more than that there is something. */
export interface SealedCaseColumns extends Pick<ReviewCase, 'subject' | 'hits'> {
  subject_key_id: string;
  sealed: Buffer;
  proposal: object | null;
  decision_reason: null;
  escalation_reason: null;
  ros_draft: object | null;
}

/** A row as stored: `select *` with the wrapped key of its subject. */
export type StoredCase = ReviewCase & { wrapped_key: Buffer | null };

/** What a case's changes are sealed with. */
export interface CaseSealing {
  key: SubjectKey;
  keyring: TenantKeyring;
}

/** SQL of the wrapped key of a row `c`, of review_case or screening. */
export const WRAPPED_KEY = `(select k.wrapped_key from compliance.subject_key k
  where k.tenant_id = c.tenant_id and k.id = c.subject_key_id) as wrapped_key`;

const contextOf = (caseId: string): string => `case:${caseId}`;

/** Seals all of it, whatever of it changed. */
export function sealCase(key: SubjectKey, caseId: string, secrets: CaseSecrets): SealedCaseColumns {
  const { subject, hits, proposal, decision_reason, escalation_reason, ros_draft } = secrets;
  return {
    subject_key_id: key.id,
    sealed: key.seal(contextOf(caseId), {
      subject,
      hits,
      proposal,
      decision_reason,
      escalation_reason,
      ros_draft,
    } satisfies CaseSecrets),
    subject: {},
    hits: [],
    proposal: proposal && {},
    decision_reason: null,
    escalation_reason: null,
    ros_draft: ros_draft && {},
  };
}

export function openCaseSecrets(key: SubjectKey, caseId: string, sealed: Buffer): CaseSecrets {
  return key.open<CaseSecrets>(contextOf(caseId), sealed);
}

/** A case as everybody but the store sees it. */
export function openCase(keyring: TenantKeyring, stored: StoredCase): ReviewCase {
  const key = keyOf(keyring, stored);
  return key && stored.sealed ? { ...stored, ...openCaseSecrets(key, stored.id, stored.sealed) } : stored;
}

/** The key of a stored case; null for one that is in the clear. */
export function keyOf(keyring: TenantKeyring, { subject_key_id, wrapped_key }: StoredCase): SubjectKey | null {
  if (subject_key_id === null) return null;
  if (wrapped_key === null) throw new Error('the key of a case that is shown exists');
  return keyring.subject(subject_key_id, wrapped_key);
}

/** What dismissed hits know a subject by, in place of the hash of its facts: nobody confirms a guess without the tenant's key. */
export function concealedHash(keyring: TenantKeyring, subjectHash: string): string {
  return keyring.blindIndex('dismissed_subject', subjectHash).toString('hex');
}
