import { typeId } from '@constancia/kernel';

/** The result of platform.ops_grant. */
export interface GrantRow {
  made: boolean;
  id: string;
  kind: string;
  amount: number;
  balance_after: number;
  ref_id: string;
  created_at: Date;
  available: number;
  held: number;
}

/** A row of platform.pending_grant; `expired` when it was not approved in time. */
export interface PendingGrantRow {
  id: string;
  tenant_id: string;
  slug: string;
  reference: string;
  credits: number;
  reason: string;
  requested_by: string;
  requested_at: Date;
  expires_at: Date;
  status: 'pending' | 'approved' | 'withdrawn' | 'expired';
  ended_by: string | null;
  ended_at: Date | null;
}

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
