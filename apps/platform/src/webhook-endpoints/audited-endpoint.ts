import type { AuditedValues, AuditEntry } from '@constancia/auth';
import { typeId } from '@constancia/kernel';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** An endpoint as the audit log names it. */
export function endpointObject({ id }: Pick<WebhookEndpoint, 'id'>): AuditEntry['object'] {
  return { kind: 'webhook_endpoint', id: typeId('whe', id) };
}

/** What the audit log records of an endpoint. The query of its address may hold a secret, and its description a name: both are left out. */
export function auditedEndpoint({ url, module, modules, event_types, enabled }: WebhookEndpoint): AuditedValues {
  return { url: auditedUrl(url), modules: modules ?? [module], event_types, enabled };
}

export function auditedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
