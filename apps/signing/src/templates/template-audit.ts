import type { AuditEntry } from '@constancia/auth';
import { typeId } from '@constancia/kernel';
import type { Template } from './template.entity.ts';

/** What the audit log says of a template that was uploaded, or taken out of use. */
export function templateAudit(
  action: 'template.created' | 'template.removed',
  { id, code, name, sha256 }: Template,
): Pick<AuditEntry, 'action' | 'object' | 'before' | 'after'> {
  const values = { code, name, pdf_sha256: sha256.toString('hex') };
  const object = { kind: 'template', id: typeId('tpl', id) };
  return { action, object, ...(action === 'template.created' ? { after: values } : { before: values }) };
}
