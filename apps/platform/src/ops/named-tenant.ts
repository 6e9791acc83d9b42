import { ApiOptional, IsLine } from '@constancia/http';
import type { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';

export interface NamedTenant {
  id: string;
  slug: string;
}

/** Of one tenant, or of all. */
export class TenantQuery {
  @ApiOptional({ description: 'The slug or the id of a tenant.' })
  @IsLine(79)
  tenant?: string;
}

/** The tenant of this slug or id. Throws NotFound. */
export async function namedTenant(database: Database, name: string): Promise<NamedTenant> {
  const [tenant] = name.includes('\0')
    ? []
    : await database.query<NamedTenant>('select * from platform.ops_find_tenant($1)', [name]);
  if (!tenant) {
    throw new NotFound(
      'There is no tenant of this slug or id. Search for a part of its name: npm run ops -- tenants list --search, or GET /ops/tenants?search=.',
    );
  }
  return tenant;
}

/** The tenant of this slug or id; undefined without one. */
export async function tenantNamed(database: Database, name: string | undefined): Promise<NamedTenant | undefined> {
  return name === undefined ? undefined : namedTenant(database, name);
}
