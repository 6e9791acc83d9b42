/** What a tenant's webhook secrets are sealed for: neither opens in another tenant's row. */
export function webhookSecretContext(tenantId: string): string {
  return `webhook_secret:${tenantId}`;
}
