import type { TenantStanding } from '@constancia/contracts';
import type { Database } from '@constancia/persistence';
import type { TenantClosing } from './tenant-closing.entity.ts';
import type { TenantRow } from './tenant.entity.ts';

/** A row of platform.ops_tenants, with platform.ops_standing; closes_at null: nothing is being closed. */
export type OpsTenant = Pick<TenantRow, 'id' | 'slug' | 'display_name' | 'plan' | 'environment' | 'created_at'> & {
  available: number;
  held: number;
  open_holds: number;
  standing: TenantStanding;
  since: Date | null;
  closes_at: Date | null;
} & Omit<TenantClosing, 'tenant_id' | 'closes_at' | 'requested_by' | 'reminded_at'>;

export interface TenantFilter {
  id?: string;
  search?: string | undefined;
  before?: string | undefined;
  limit: number;
}

const TENANTS = `
  select f.*, s.*
    from platform.ops_tenants($1, $2, $3, $4) f cross join lateral platform.ops_standing(f.id) s
   order by f.id desc`;

/** Newest first. */
export function tenantsLike(database: Database, { id, search, before, limit }: TenantFilter): Promise<OpsTenant[]> {
  return database.query<OpsTenant>(TENANTS, [id, search, before, limit]);
}

export function tenantView(tenant: OpsTenant) {
  const { created_at, since, ...row } = tenant;
  const { id, slug, display_name, plan, environment, available, held, standing } = row;
  return {
    ...{ id, slug, display_name, plan, environment, created_at: created_at.toISOString(), available, held, standing },
    standing_since: since?.toISOString() ?? null,
    closing: closingOf(tenant),
  };
}

function closingOf({ closes_at: closesAt, ...row }: OpsTenant) {
  if (closesAt === null) return null;
  const { requested_at, requested_by_name, reason, closed_at, credits_left, credits_held } = row;
  const credits = (amount: string | null) => (amount === null ? null : Number(amount));
  return {
    requested_at: requested_at.toISOString(),
    requested_by: requested_by_name,
    reason,
    closes_at: closesAt.toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
    credits_left: credits(credits_left),
    credits_held: credits(credits_held),
  };
}
