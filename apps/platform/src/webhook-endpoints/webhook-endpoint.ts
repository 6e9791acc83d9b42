import { EVENT_MODULES, type EventModule } from '@constancia/contracts';
import { NotFound } from '@constancia/problem-json';
import type { Tx } from '@constancia/persistence';
import type { WebhookEndpointRow } from './webhook-endpoint.entity.ts';

/** A row of platform.webhook_endpoint, as far as the API shows it. */
export type WebhookEndpoint = Pick<
  WebhookEndpointRow,
  | 'id' | 'module' | 'modules' | 'url' | 'enabled' | 'event_types' | 'description' | 'disabled_reason' | 'disabled_at'
  | 'consecutive_failures' | 'first_failure_at' | 'paused_until' | 'created_at' | 'updated_at'
>; // prettier-ignore

export const ENDPOINT_COLUMNS = `id, module, modules, url, enabled, event_types, description, disabled_reason, disabled_at,
  consecutive_failures, first_failure_at, case when paused_until > now() then paused_until end as paused_until,
  created_at, updated_at`;

export function isEventModule(text: string): text is EventModule {
  return (EVENT_MODULES as readonly string[]).includes(text);
}

/** The endpoint of a module in the transaction's tenant. Throws NotFound, also for a module that does not exist. */
export function requireEndpoint(tx: Tx, tenantId: string, module: string): Promise<WebhookEndpoint> {
  return endpointWith(tx, tenantId, 'module', module);
}

/** The endpoint of this id in the transaction's tenant. Throws NotFound. */
export function requireEndpointId(tx: Tx, tenantId: string, id: string | null): Promise<WebhookEndpoint> {
  return endpointWith(tx, tenantId, 'id', id);
}

async function endpointWith(tx: Tx, tenantId: string, column: 'id' | 'module', value: string | null) {
  const [endpoint] = await tx.query<WebhookEndpoint>(
    `select ${ENDPOINT_COLUMNS} from platform.webhook_endpoint where tenant_id = $1 and ${column} = $2`,
    [tenantId, value],
  );
  if (!endpoint) throw new NotFound();
  return endpoint;
}
