import { PRICE } from '@constancia/contracts';
import type { CreditLedger } from '@constancia/credit-ledger';
import type { Tx } from '@constancia/persistence';
import { presentationRow } from './presentation-rows.ts';
import { Presentation } from './presentation.entity.ts';

/** Far beyond the time that a request has: only what nobody could settle is reaped. */
const HOLD_SECONDS = 24 * 3_600;

/** Columns that every request is made with. */
type Asked =
  | 'id'
  | 'tenant_id'
  | 'tenant_name'
  | 'channel'
  | 'purpose'
  | 'claims'
  | 'max_age_days'
  | 'metadata'
  | 'token_hash'
  | 'expires_at';

export type NewPresentation = Pick<Presentation, Asked> &
  Partial<Pick<Presentation, 'document_index' | 'return_url' | 'external_ref' | 'session_id' | 'link_sealed'>> &
  Partial<Pick<Presentation, 'app_token_hash' | 'app_request' | 'app_key_sealed'>>;

/** Writes a request and holds its price: the balance row stays locked from here on. Throws InsufficientCreditsError. */
export async function insertPresentation(
  tx: Tx,
  ledger: CreditLedger,
  { id, tenant_id, ...asked }: NewPresentation,
): Promise<Presentation> {
  await tx.manager.insert(Presentation, { id, tenant_id, status: 'pending', ...asked });
  const debit = { module: 'identity', refType: 'presentation', refId: id, amount: PRICE.kycReuse };
  const holdId = await ledger.hold(tx, tenant_id, debit, HOLD_SECONDS);
  await tx.manager.update(Presentation, { id, tenant_id }, { hold_id: holdId });
  return presentationRow(tx, tenant_id, id);
}

/** Where the person answers. */
export const consentAddress = (personAddress: string, token: string): string => `${personAddress}/consent/${token}`;
