import type { StatementLine } from '@constancia/credit-ledger';
import { typeId } from '@constancia/kernel';
import type { PendingGrant } from './pending-grant.entity.ts';

/** The result of platform.ops_grant. */
export type GrantRow = Pick<StatementLine, 'id' | 'kind' | 'amount' | 'balance_after' | 'ref_id' | 'created_at'> & {
  made: boolean;
  available: number;
  held: number;
};

/** A row of platform.pending_grant; `expired` when it was not approved in time. */
export type PendingGrantRow = Omit<PendingGrant, 'ref_id' | 'status'> & {
  slug: string;
  status: PendingGrant['status'] | 'expired';
};

export function grantView({ made, id, kind, amount, balance_after, ref_id, created_at, available, held }: GrantRow) {
  return {
    balance: { available, held },
    entry: { id: typeId('led', id), kind, amount, balance_after, ref_id, created_at: created_at.toISOString() },
    repeated: !made,
  };
}

export function pendingGrantView(row: PendingGrantRow) {
  const { id, tenant_id, slug, reference, credits, reason, requested_by, status, ended_by } = row;
  return {
    ...{ id, tenant_id, slug, reference, credits, reason, requested_by, status, ended_by },
    requested_at: row.requested_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
