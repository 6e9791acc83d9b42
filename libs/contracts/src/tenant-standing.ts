/** Whether a tenant's credentials are accepted, as platform_v1.tenant_standing answers it. */
export const TENANT_STANDINGS = ['active', 'suspended'] as const;

export type TenantStanding = (typeof TENANT_STANDINGS)[number];
