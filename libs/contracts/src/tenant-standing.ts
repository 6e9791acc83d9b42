/**
 * Whether a tenant's credentials are accepted, as platform_v1.tenant_standing answers it. closing: only to read and to
 * finish what was started (ADR 0190); closed: no longer accepted.
 */
export const TENANT_STANDINGS = ['active', 'suspended', 'closing', 'closed'] as const;

export type TenantStanding = (typeof TENANT_STANDINGS)[number];
