import type { ModuleErasure } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { ArrayOverlap } from 'typeorm';
import { ErasureReceipt } from './erasure-receipt.entity.ts';

export const LEGAL_BASIS =
  'SARLAFT: documents of customer due diligence are kept for five years from the end of the relationship, or as long as the entity has set.';

export function receiptById(tx: Tx, tenantId: string, id: string): Promise<ErasureReceipt | null> {
  return tx.manager.findOneBy(ErasureReceipt, { tenant_id: tenantId, id });
}

/** The receipts of a person's references, the newest first. */
export function receiptsOf(tx: Tx, tenantId: string, refs: string[]): Promise<ErasureReceipt[]> {
  const where = { tenant_id: tenantId, subject_refs: ArrayOverlap(refs) };
  return tx.manager.find(ErasureReceipt, { where, order: { erased_at: 'DESC', id: 'DESC' } });
}

export async function insertReceipt(
  tx: Tx,
  receipt: Omit<ErasureReceipt, 'erased_at' | 'ended_at'>,
): Promise<ErasureReceipt> {
  await tx.manager.insert(ErasureReceipt, receipt);
  return (await receiptById(tx, receipt.tenant_id, receipt.id)) as ErasureReceipt;
}

/** The module's part of a receipt, as callers and the identity module see it. */
export function moduleErasure({ erased, kept, kept_until }: ErasureReceipt): ModuleErasure {
  const keeps = kept.length > 0;
  return {
    module: 'compliance',
    status: 'done',
    erased,
    kept,
    legal_basis: keeps ? LEGAL_BASIS : null,
    kept_until: keeps ? (kept_until?.toISOString() ?? null) : null,
  };
}
