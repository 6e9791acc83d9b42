import { type BrandRow, shownTenant, type ShownTenant } from '@constancia/contracts';

interface Queries {
  query<Row>(sql: string, params: unknown[]): Promise<Row[]>;
}

/** The tenant as a page shows it: its branding of now, its name as given. */
export async function tenantOnPage(store: Queries, tenantId: string, displayName: string): Promise<ShownTenant> {
  const [row] = await store.query<BrandRow>(
    'select color, logo_sha256, logo_width, logo_height from platform_v1.tenant_branding($1)',
    [tenantId],
  );
  return shownTenant(displayName, row ?? { color: null, logo_sha256: null, logo_width: null, logo_height: null });
}
