import type { CreditLedger } from '@constancia/credit-ledger';
import type { Tx } from '@constancia/persistence';
import { endPresentation, lockPresentation, releaseHold } from './presentation-rows.ts';
import { Presentation } from './presentation.entity.ts';

interface OfTenant {
  id: string;
  tenant_id: string;
}

/** The token of a link is bound to its request: what is copied into another row does not open there. */
export const requestLinkContext = (id: string): string => `wallet_presentation_link:${id}`;

/** The requests that the capture page of a session made, newest first. */
export function requestsOfSession(tx: Tx, { id, tenant_id }: OfTenant): Promise<Presentation[]> {
  return tx.manager.find(Presentation, { where: { tenant_id, session_id: id }, order: { id: 'desc' } });
}

/** Ends what nobody will answer any more, and gives its credits back. The session's row must be held; last in its transaction. */
export async function endPendingRequests(tx: Tx, ledger: CreditLedger, session: OfTenant): Promise<void> {
  const ended: Presentation[] = [];
  for (const { id, status } of await requestsOfSession(tx, session)) {
    if (status !== 'pending') continue;
    const row = await lockPresentation(tx, session.tenant_id, id);
    if (row.status !== 'pending') continue;
    await endPresentation(tx, row, { status: 'cancelled' });
    ended.push(row);
  }
  for (const row of ended) await releaseHold(tx, ledger, row); // the balance is locked after every request
}
