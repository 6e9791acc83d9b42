import { answer } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import type { TopupRefund } from './topup-refund.entity.ts';

const { choice, id, instant, object, orNull, text, uuid, whole } = answer;

/** A row of platform.ops_topup_refunds; `expired` when it was not approved in time. */
export type RefundRow = Omit<TopupRefund, 'status'> & { slug: string; status: TopupRefund['status'] | 'expired' };

export const REFUND = object({
  id: uuid,
  tenant_id: uuid,
  slug: text,
  topup_id: id('top'),
  payment_id: text,
  reference: text,
  amount_cop: whole,
  credits: whole,
  reason: text,
  requested_by: text,
  status: choice(['pending', 'sending', 'done', 'withdrawn', 'expired']),
  ended_by: orNull(text),
  requested_at: instant,
  expires_at: instant,
  ended_at: orNull(instant),
});

export const SENT_REFUND = object({
  refund: REFUND,
  /** Of the top-up, after the provider was asked what it holds. */
  topup_status: text,
  available: whole,
});

export const ASKED_REFUND = object({ pending: REFUND });

export function refundView(row: RefundRow) {
  const { id: refundId, tenant_id, slug, topup_id, payment_id, reference, amount_cents, credits, reason } = row;
  return {
    ...{ id: refundId, tenant_id, slug, topup_id: typeId('top', topup_id), payment_id, reference },
    ...{ amount_cop: Math.ceil(amount_cents / 100), credits, reason },
    ...{ requested_by: row.requested_by, status: row.status, ended_by: row.ended_by },
    requested_at: row.requested_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
