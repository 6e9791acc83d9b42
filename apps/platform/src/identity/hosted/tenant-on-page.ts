import { type BrandRow, shownTenant, type ShownTenant } from '@constancia/contracts';
import { NotFound } from '@constancia/problem-json';

interface Queries {
  query<Row>(sql: string, params: unknown[]): Promise<Row[]>;
}

/** The tenant as a page shows it: its branding of now, its name as given, or that of now. Throws NotFound. */
export async function tenantOnPage(store: Queries, tenantId: string, displayName?: string): Promise<ShownTenant> {
  const [row] = await store.query<BrandRow & { display_name: string }>(
    'select display_name, color, logo_sha256, logo_width, logo_height from platform_v1.tenant_branding($1)',
    [tenantId],
  );
  if (row === undefined) throw new NotFound();
  return shownTenant(displayName ?? row.display_name, row);
}
