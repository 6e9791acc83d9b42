import type { ModuleErasure } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { ErasureReceipt } from './erasure-receipt.entity.ts';

/** Throws NotFound, for another tenant's too. */
export async function receiptById(tx: Tx, tenantId: string, id: string): Promise<ErasureReceipt> {
  const receipt = await tx.manager.findOneBy(ErasureReceipt, { tenant_id: tenantId, id });
  if (!receipt) throw new NotFound();
  return receipt;
}

/** The receipt of an erased subject: it has one. */
export async function receiptOfSubject(tx: Tx, tenantId: string, subjectId: string): Promise<ErasureReceipt> {
  const receipt = await tx.manager.findOneBy(ErasureReceipt, { tenant_id: tenantId, subject_id: subjectId });
  if (!receipt) throw new Error('an erased subject has a receipt');
  return receipt;
}

/** What this module did. */
export function identityErasure({ legal_hold, legal_hold_until }: ErasureReceipt): ModuleErasure {
  const held = legal_hold && legal_hold_until !== null;
  return {
    module: 'identity',
    status: 'done',
    erased: ['answers', 'pictures', 'session_tokens', 'stored_responses', ...(held ? ['email', 'phone'] : ['record'])],
    kept: ['consent_evidence', 'audit_trail', ...(held ? ['document_number', 'full_name', 'birth_date'] : [])],
    legal_basis: held
      ? 'The tenant’s legal duty to keep records (legal_hold_days), and proof of consent (Ley 1581 of 2012, article 9).'
      : 'Proof of consent (Ley 1581 of 2012, article 9), without personal data.',
    kept_until: held ? legal_hold_until.toISOString() : null,
  };
}
