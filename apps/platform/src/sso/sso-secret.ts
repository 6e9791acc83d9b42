import type { SealedColumn } from '@constancia/persistence';

/** What a client secret is sealed for: it opens in no other tenant's row. */
export function ssoSecretContext(tenantId: string): string {
  return `sso_client_secret:${tenantId}`;
}

export const SSO_SECRET: SealedColumn = {
  table: 'platform.sso',
  key: ['tenant_id'],
  column: 'client_secret',
  context: ({ tenant_id }) => ssoSecretContext(tenant_id as string),
};
