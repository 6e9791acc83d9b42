import type { AuditEntry, AuditedValues } from '@constancia/auth';
import { typeId } from '@constancia/kernel';
import type { ValidationRow } from './validation-view.ts';

/** A validation as the audit log names it. */
export const validationObject = ({ id }: ValidationRow): AuditEntry['object'] => ({
  kind: 'validation',
  id: typeId('val', id),
});

/** What the audit log keeps of a version. */
export function auditedVersion({ code, version, rules, rules_hash, publication }: ValidationRow): AuditedValues {
  return { code, version, rules, rules_hash: rules_hash?.toString('hex') ?? publication?.rules_hash ?? null };
}

/** A publication; of a draft that still waits, the first of the two that it needs. */
export function publicationAudit(row: ValidationRow): Pick<AuditEntry, 'action' | 'object' | 'after'> {
  const action = row.status === 'published' ? 'validation.published' : 'validation.publication_requested';
  return { action, object: validationObject(row), after: auditedVersion(row) };
}
