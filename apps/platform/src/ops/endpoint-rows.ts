import { typeId } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { WebhookEndpointRow } from '../webhook-endpoints/webhook-endpoint.entity.ts';
import { addressOf } from './delivery-rows.ts';

/** A row of platform.ops_endpoints. */
export type OpsEndpoint = Pick<
  WebhookEndpointRow,
  | 'id' | 'tenant_id' | 'url' | 'enabled' | 'event_types' | 'disabled_reason' | 'paused_until' | 'consecutive_failures'
  | 'first_failure_at'
> & { slug: string; module: string; due: number }; // prettier-ignore

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
    ...[filter.ids, filter.tenantId, filter.health, filter.after, filter.limit],
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
