import type { Tx } from '@constancia/persistence';
import { TenantRow } from './tenant.entity.ts';

/** The tenant of the transaction. Throws when the transaction has another one: its policies show only its own. */
export async function tenantRow(tx: Tx, id: string): Promise<TenantRow> {
  const row = await tx.manager.findOneBy(TenantRow, { id });
  if (row === null) throw new Error('the transaction belongs to another tenant');
  return row;
}
