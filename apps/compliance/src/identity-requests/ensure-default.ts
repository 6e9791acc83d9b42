import { AuditLog } from '@constancia/auth';
import type { Tx } from '@constancia/persistence';
import { seedDefaults } from '../rules/seed-defaults.ts';
import { publish } from '../validations/publish-validation.ts';
import { publicationAudit } from '../validations/validation-audit.ts';
import { DEFAULT_CODE } from '../validations/validation-body.ts';
import { addDraft, lockCode } from '../validations/validations.ts';

const CANONICAL = {
  code: DEFAULT_CODE,
  name: 'SARLAFT',
  description: 'Reglas canónicas de SARLAFT para personas naturales y jurídicas.',
};

/** Creates and publishes the canonical validation when the tenant has none of the code `default`, whatever its status. */
export async function ensureDefault(tx: Tx, tenantId: string): Promise<{ validationId: string; created: boolean }> {
  await lockCode(tx, tenantId, DEFAULT_CODE);
  const [latest] = await tx.query<{ id: string }>(
    `select id from compliance.validation where tenant_id = $1 and code = $2
      order by (status = 'published') desc, version desc limit 1`,
    [tenantId, DEFAULT_CODE],
  );
  if (latest) return { validationId: latest.id, created: false };
  const draft = await addDraft(tx, tenantId, CANONICAL);
  await seedDefaults(tx, tenantId, draft.id, 'both');
  const published = await publish(tx, draft);
  const principal = { tenantId, system: 'seed-default' };
  await AuditLog.record(tx, { principal, ...publicationAudit(published), origin: null });
  return { validationId: draft.id, created: true };
}
