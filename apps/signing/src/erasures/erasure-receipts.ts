import type { ModuleErasure } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { ArrayOverlap } from 'typeorm';
import { ErasureReceipt } from './erasure-receipt.entity.ts';

export const LEGAL_BASIS =
  'Law 527 of 1999 and Decree 2364 of 2012: signed documents, and the trails that prove what happened to an envelope, are evidence of its parties.';

/** The receipts of a person's references, the newest first. */
export function receiptsOf(tx: Tx, tenantId: string, refs: string[]): Promise<ErasureReceipt[]> {
  const where = { tenant_id: tenantId, subject_refs: ArrayOverlap(refs) };
  return tx.manager.find(ErasureReceipt, { where, order: { erased_at: 'DESC', id: 'DESC' } });
}

export type NewReceipt = Pick<
  ErasureReceipt,
  'id' | 'tenant_id' | 'subject_refs' | 'signer_ids' | 'email_index' | 'actor'
>;

/** Of two that come with one id at once the first is kept. */
export async function insertReceipt(tx: Tx, receipt: NewReceipt): Promise<void> {
  await tx.manager.createQueryBuilder().insert().into(ErasureReceipt).values(receipt).orIgnore().execute();
}

/** The module's part of a receipt, as callers and the identity module see it. */
export function moduleErasure({ erased, kept, settled_at }: ErasureReceipt): ModuleErasure {
  return {
    module: 'signing',
    status: settled_at === null ? 'pending' : 'done',
    erased,
    kept,
    legal_basis: kept.length > 0 ? LEGAL_BASIS : null,
    kept_until: null,
  };
}
