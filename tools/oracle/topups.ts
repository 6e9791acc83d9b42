import { typeId, uuidOf } from '@constancia/kernel';
import { finding, type Query } from './finding.ts';

/** A payment as the provider holds it. */
export interface HeldPayment {
  id: string;
  /** The top-up's id. */
  external_reference: string;
  status: string;
  status_detail: string;
  currency_id: string;
  transaction_amount: number;
  transaction_amount_refunded: number;
}

interface StoredTopup {
  id: string;
  tenant_id: string;
  amount_cop: string;
  amount_credits: string;
  applied_credits: string;
  ledger: string;
  /** Whether the platform looks at the provider by itself. */
  looks: boolean;
}

/** A top-up whose credits are not what the provider holds of it. */
export interface UnsettledTopup {
  id: string;
  uuid: string;
  tenantId: string;
  ledger: number;
  held: number;
  looks: boolean;
}

/** The share of a top-up's credits that its best payment still pays for: a top-up is sold once, however often it is paid. */
function heldOf({ amount_cop, amount_credits }: StoredTopup, payments: readonly HeldPayment[]): number {
  const kept = payments
    .filter(({ currency_id, transaction_amount }) => currency_id === 'COP' && transaction_amount === Number(amount_cop))
    .map((payment) => (isHeld(payment) ? payment.transaction_amount - payment.transaction_amount_refunded : 0));
  return Math.floor((Number(amount_credits) * Math.max(0, ...kept)) / Number(amount_cop));
}

/** Money that was paid and is still ours: a dispute that is open or won leaves it here. */
const isHeld = ({ status, status_detail }: HeldPayment): boolean =>
  status === 'approved' || status === 'in_mediation' || (status === 'charged_back' && status_detail === 'reimbursed');

const STORED = `
  select t.id, t.tenant_id, t.amount_cop, t.amount_credits, t.applied_credits, t.check_at is not null as looks,
         coalesce((select sum(e.amount) from platform.credit_entry e where e.ref_id = t.id and e.ref_type = 'topup'), 0) as ledger
    from platform.topup t`;

const topupOf = ({ external_reference }: HeldPayment): string => uuidOf('top', external_reference) ?? '';

async function compared(
  query: Query,
  payments: readonly HeldPayment[],
): Promise<{ unsettled: UnsettledTopup[]; ofNothing: string[] }> {
  const byTopup = new Map<string, HeldPayment[]>();
  for (const payment of payments) {
    const id = topupOf(payment);
    byTopup.set(id, [...(byTopup.get(id) ?? []), payment]);
  }
  const stored = await query<StoredTopup>(STORED);
  const ids = new Set(stored.map(({ id }) => id));
  const unsettled = stored
    .map((topup) => ({
      id: typeId('top', topup.id),
      uuid: topup.id,
      tenantId: topup.tenant_id,
      ledger: Number(topup.ledger),
      held: heldOf(topup, byTopup.get(topup.id) ?? []),
      looks: topup.looks,
    }))
    .filter(({ ledger, held }) => ledger !== held);
  const ofNothing = payments
    .filter((payment) => !ids.has(topupOf(payment)))
    .map(({ id, external_reference }) => `${id} for ${external_reference}`);
  return { unsettled, ofNothing };
}

/** Top-ups whose credits in the ledger are not, or not yet, those that the provider's payments say. */
export async function unsettledTopups(query: Query, payments: readonly HeldPayment[]): Promise<UnsettledTopup[]> {
  return (await compared(query, payments)).unsettled;
}

/** Point 11: per top-up the ledger has what the provider holds as paid, less what it reversed; and every payment is of a top-up. */
export async function brokenTopups(query: Query, payments: readonly HeldPayment[]): Promise<string[]> {
  const { unsettled, ofNothing } = await compared(query, payments);
  return [
    ...unsettled.map(({ id, ledger, held }) =>
      finding('a top-up that its payments do not explain', `${id} has ${ledger} credits, the provider holds ${held}`),
    ),
    ...ofNothing.map((payment) => finding('a payment of no top-up', payment)),
  ];
}
