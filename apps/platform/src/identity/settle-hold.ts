import { type CreditLedger, HoldSettledError } from '@constancia/credit-ledger';
import type { Tx } from '@constancia/persistence';

/** Spends a hold or gives it back, last in its transaction. False: it was settled before (the reaper gave it back), and stays so. */
export async function settleHold(
  tx: Tx,
  ledger: CreditLedger,
  holdId: string,
  how: 'capture' | 'release',
): Promise<boolean> {
  await tx.query('savepoint settle');
  try {
    await ledger[how](tx, holdId);
    return true;
  } catch (error) {
    if (!(error instanceof HoldSettledError)) throw error;
    await tx.query('rollback to savepoint settle');
    return false;
  }
}
