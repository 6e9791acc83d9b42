import { typeId } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import { addressOf } from './delivery-rows.ts';

/** A row of platform.ops_endpoints. */
export interface OpsEndpoint {
  id: string;
  tenant_id: string;
  slug: string;
  module: string;
  url: string;
  enabled: boolean;
  event_types: string[];
  disabled_reason: string | null;
  paused_until: Date | null;
  consecutive_failures: number;
  first_failure_at: Date | null;
  due: number;
}

export interface EndpointFilter {
  ids?: string[];
  tenantId?: string | undefined;
  health?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** Endpoints of any tenant. */
export function endpointsLike(database: Database, filter: EndpointFilter): Promise<OpsEndpoint[]> {
  return database.query<OpsEndpoint>('select * from platform.ops_endpoints($1, $2, $3, $4, $5)', [
    filter.ids ?? null,
    filter.tenantId ?? null,
    filter.health ?? null,
    filter.after ?? null,
    filter.limit,
  ]);
}

export function endpointView(row: OpsEndpoint) {
  return {
    id: typeId('whe', row.id),
    tenant_id: row.tenant_id,
    slug: row.slug,
    module: row.module,
    url: addressOf(row.url),
    enabled: row.enabled,
    event_types: row.event_types,
    disabled_reason: row.disabled_reason,
    paused_until: row.paused_until?.toISOString() ?? null,
    consecutive_failures: row.consecutive_failures,
    first_failure_at: row.first_failure_at?.toISOString() ?? null,
    due: row.due,
  };
}
