import { EVENT_MODULES, type EventModule } from '@constancia/contracts';
import { NotFound } from '@constancia/problem-json';
import type { Tx } from '@constancia/persistence';

/** A row of platform.webhook_endpoint, as far as the API shows it. */
export interface WebhookEndpoint {
  id: string;
  /** Of the endpoint that PUT registers; null for one that POST created. */
  module: EventModule | null;
  /** Of one that POST created. */
  modules: EventModule[] | null;
  url: string;
  enabled: boolean;
  event_types: string[];
  description: string | null;
  disabled_reason: string | null;
  disabled_at: Date | null;
  consecutive_failures: number;
  first_failure_at: Date | null;
  paused_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const ENDPOINT_COLUMNS = `id, module, modules, url, enabled, event_types, description, disabled_reason, disabled_at,
  consecutive_failures, first_failure_at, case when paused_until > now() then paused_until end as paused_until,
  created_at, updated_at`;

export function isEventModule(text: string): text is EventModule {
  return (EVENT_MODULES as readonly string[]).includes(text);
}

/** The endpoint of a module in the transaction's tenant. Throws NotFound, also for a module that does not exist. */
export async function requireEndpoint(tx: Tx, tenantId: string, module: string): Promise<WebhookEndpoint> {
  const [endpoint] = await tx.query<WebhookEndpoint>(
    `select ${ENDPOINT_COLUMNS} from platform.webhook_endpoint where tenant_id = $1 and module = $2`,
    [tenantId, module],
  );
  if (!endpoint) throw new NotFound();
  return endpoint;
}

/** The endpoint of this id in the transaction's tenant. Throws NotFound. */
export async function requireEndpointId(tx: Tx, tenantId: string, id: string | null): Promise<WebhookEndpoint> {
  const [endpoint] = await tx.query<WebhookEndpoint>(
    `select ${ENDPOINT_COLUMNS} from platform.webhook_endpoint where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  if (!endpoint) throw new NotFound();
  return endpoint;
}
