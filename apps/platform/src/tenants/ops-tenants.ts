import type { TenantStanding } from '@constancia/contracts';
import type { Database } from '@constancia/persistence';
import type { TenantRow } from './tenant.entity.ts';

/** A row of platform.ops_tenants, with platform.ops_suspended_since. */
export type OpsTenant = Pick<TenantRow, 'id' | 'slug' | 'display_name' | 'plan' | 'environment' | 'created_at'> & {
  available: number;
  held: number;
  open_holds: number;
  suspended_since: Date | null;
};

export interface TenantFilter {
  id?: string;
  search?: string | undefined;
  before?: string | undefined;
  limit: number;
}

const TENANTS = `
  select f.*, platform.ops_suspended_since(f.id) as suspended_since
    from platform.ops_tenants($1, $2, $3, $4) f order by f.id desc`;

/** Newest first. */
export function tenantsLike(database: Database, { id, search, before, limit }: TenantFilter): Promise<OpsTenant[]> {
  return database.query<OpsTenant>(TENANTS, [id, search, before, limit]);
}

export function tenantView({ created_at, suspended_since, ...row }: OpsTenant) {
  const { id, slug, display_name, plan, environment, available, held } = row;
  const standing: TenantStanding = suspended_since === null ? 'active' : 'suspended';
  return {
    ...{ id, slug, display_name, plan, environment, created_at: created_at.toISOString(), available, held, standing },
    standing_since: suspended_since?.toISOString() ?? null,
  };
}
