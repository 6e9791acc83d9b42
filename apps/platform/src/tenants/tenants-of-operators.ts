import type { TenantStanding } from '@constancia/contracts';
import type { Database } from '@constancia/persistence';
import type { TenantRow } from './tenant.entity.ts';

/** A row of platform.ops_tenants, with platform.ops_standings. */
export type OpsTenant = Pick<TenantRow, 'id' | 'slug' | 'display_name' | 'plan' | 'environment' | 'created_at'> & {
  available: number;
  held: number;
  open_holds: number;
  standing: TenantStanding;
  since: Date | null;
};

export interface TenantFilter {
  id?: string;
  search?: string | undefined;
  before?: string | undefined;
  limit: number;
}

const TENANTS = `
  with found as materialized (select * from platform.ops_tenants($1, $2, $3, $4))
  select f.*, s.standing, s.since
    from found f join platform.ops_standings((select array_agg(id) from found)) s on s.tenant_id = f.id
   order by f.id desc`;

/** Newest first. */
export function tenantsLike(database: Database, { id, search, before, limit }: TenantFilter): Promise<OpsTenant[]> {
  return database.query<OpsTenant>(TENANTS, [id, search, before, limit]);
}

export function tenantView({ created_at, since, ...row }: OpsTenant) {
  const { id, slug, display_name, plan, environment, available, held, standing } = row;
  return {
    ...{ id, slug, display_name, plan, environment, created_at: created_at.toISOString(), available, held, standing },
    standing_since: since?.toISOString() ?? null,
  };
}
