import type { SealedColumn } from '@constancia/persistence';

/** What a tenant's webhook secrets are sealed for: neither opens in another tenant's row. */
export function webhookSecretContext(tenantId: string): string {
  return `webhook_secret:${tenantId}`;
}

/** Everything in the schema that SECRETS_KEY seals. */
export const SEALED: readonly SealedColumn[] = ['webhook_secret', 'previous_webhook_secret'].map((column) => ({
  table: 'platform.tenant',
  key: ['id'],
  column,
  context: ({ id }) => webhookSecretContext(id as string),
}));
