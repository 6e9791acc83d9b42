import type { Tx } from '@constancia/persistence';
import { TenantRow } from './tenant.entity.ts';

/** The tenant of the transaction. Throws when the transaction has another one: its policies show only its own. */
export async function tenantRow(tx: Tx, id: string): Promise<TenantRow> {
  const row = await tx.manager.findOneBy(TenantRow, { id });
  if (row === null) throw new Error('the transaction belongs to another tenant');
  return row;
}

/**
 * One change at a time of the tenant's members, standing and owner's address: two that each leave one owner must not leave none together.
 */
export async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('select 1 from platform.tenant where id = $1 for no key update', [tenantId]);
}
