import type { CreditLedger } from '@constancia/credit-ledger';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { CONSENT_WRONG_CODES } from '@constancia/contracts';
import { settleHold } from '../settle-hold.ts';
import type { Presentation } from './presentation.entity.ts';

/** A request of the tenant's. Throws NotFound. */
export async function presentationRow(tx: Tx, tenantId: string, id: string, lock = ''): Promise<Presentation> {
  const sql = `select * from identity.wallet_presentation where id = $1 and tenant_id = $2 ${lock}`;
  const [row] = await tx.query<Presentation>(sql, [id, tenantId]);
  if (!row) throw new NotFound();
  return row;
}

/** The same; nobody else changes it until the commit. Locked before the wallet, the subject and the balance. */
export const lockPresentation = (tx: Tx, tenantId: string, id: string): Promise<Presentation> =>
  presentationRow(tx, tenantId, id, 'for no key update');

/** Whether anything can be done with the link (identity.presentation_is_open). */
export function isOpen({ status, refused_at, wrong_codes, expires_at }: Presentation): boolean {
  return status === 'pending' && refused_at === null && wrong_codes < CONSENT_WRONG_CODES && expires_at > new Date();
}

type Ending = Pick<Presentation, 'status'> & Partial<Presentation>;

/** Ends a request: what could tell anything about the person goes. The row must be locked, and pending. */
export async function endPresentation(tx: Tx, { id, tenant_id }: Presentation, ending: Ending): Promise<void> {
  const forgotten = { document_index: null, wallet_id: null, contact_index: null, link_sealed: null };
  const ofApps = { app_token_hash: null, app_request: null, app_key_sealed: null };
  const columns = { ...forgotten, ...ofApps, ended_at: new Date(), ...ending };
  const names = Object.keys(columns);
  const sets = names.map((name, index) => `${name} = $${index + 3}`).join(', ');
  await tx.query(`update identity.wallet_presentation set ${sets} where id = $1 and tenant_id = $2`, [
    ...[id, tenant_id],
    ...Object.values(columns),
  ]);
}

/** Gives the credits of a request that has ended back; last in its transaction. */
export async function releaseHold(tx: Tx, ledger: CreditLedger, { hold_id }: Presentation): Promise<void> {
  if (hold_id !== null) await settleHold(tx, ledger, hold_id, 'release');
}
