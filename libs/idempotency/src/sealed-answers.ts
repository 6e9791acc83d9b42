import type { SealedColumn } from '@constancia/persistence';

/** What the stored answer to a request is sealed for: it does not open in another row. */
export const contextOf = (tenantId: string, key: string): string => `idempotency:${tenantId}:${key}`;

/** Answers with once-only secrets that a schema keeps sealed for a day. Those of owners are sealed with other keys. */
export function sealedAnswers(schema: string): SealedColumn {
  return {
    table: `${schema}.idempotency_key`,
    key: ['tenant_id', 'key'],
    column: 'body',
    where: 'sealed and status is not null',
    context: ({ tenant_id, key }) => contextOf(tenant_id as string, key as string),
  };
}
