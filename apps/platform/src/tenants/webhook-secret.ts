import { sealedAnswers } from '@constancia/idempotency';
import type { SealedColumn } from '@constancia/persistence';

/** What a tenant's webhook secrets are sealed for: neither opens in another tenant's row. */
export function webhookSecretContext(tenantId: string): string {
  return `webhook_secret:${tenantId}`;
}

const COLUMNS = ['webhook_secret', 'previous_webhook_secret'];

const SECRETS: SealedColumn[] = COLUMNS.flatMap((column) => [
  { table: 'platform.tenant', key: ['id'], column, context: ({ id }) => webhookSecretContext(id as string) },
  {
    table: 'platform.webhook_endpoint',
    key: ['id', 'tenant_id'],
    column,
    context: ({ tenant_id }) => webhookSecretContext(tenant_id as string),
  },
]);

/** Everything in the schema that SECRETS_KEY seals. */
export const SEALED: readonly SealedColumn[] = [...SECRETS, sealedAnswers('platform')];
