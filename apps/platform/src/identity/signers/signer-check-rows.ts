import type { Tx } from '@constancia/persistence';
import { SignerCheck } from './signer-check.entity.ts';

/** Written where a session's trail names who acts. */
export const SIGNING = 'signing';

export const signerCheckOf = (tx: Tx, tenant_id: string, id: string): Promise<SignerCheck | null> =>
  tx.manager.findOneBy(SignerCheck, { tenant_id, id });

/** Serializes opening and cancelling the session of one check. */
export async function lockCheck(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`signer_check:${tenantId}:${id}`]);
}
