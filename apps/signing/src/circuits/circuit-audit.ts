import type { AuditEntry, AuditedValues } from '@constancia/auth';
import { typeId } from '@constancia/kernel';
import type { Circuit } from './circuit.entity.ts';

/** A circuit as the audit log names it. */
export const circuitObject = ({ id }: Circuit): AuditEntry['object'] => ({ kind: 'circuit', id: typeId('cir', id) });

/** What the audit log keeps of a version. */
export function auditedVersion({ code, name, version, base_pdf_sha256 }: Circuit): AuditedValues {
  return { code, name, version, pdf_sha256: base_pdf_sha256?.toString('hex') ?? null };
}

export function publicationAudit(circuit: Circuit): Pick<AuditEntry, 'action' | 'object' | 'after'> {
  return { action: 'circuit.published', object: circuitObject(circuit), after: auditedVersion(circuit) };
}
