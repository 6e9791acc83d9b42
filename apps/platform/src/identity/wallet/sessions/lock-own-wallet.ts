import type { PersonPrincipal } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { Unauthorized } from '@constancia/problem-json';

/**
 * Locks the wallet of a session until the transaction ends. What ends sessions takes the same lock (a recovery, an erasure): a request that was
 * admitted before it, and waited here, changes nothing after it. Throws Unauthorized.
 */
export async function lockOwnWallet(tx: Tx, { walletId, sessionId }: PersonPrincipal): Promise<void> {
  await tx.query('select 1 from identity.wallet where wallet_id = $1 for no key update', [walletId]);
  // Another statement than the lock's: it sees what was committed while the lock was awaited.
  const sql = 'select identity.wallet_session_is_open($1, $2) as open';
  const [row] = await tx.query<{ open: boolean }>(sql, [sessionId, walletId]);
  if (row?.open !== true) throw new Unauthorized();
}
