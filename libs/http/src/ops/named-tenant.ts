import type { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { ApiOptional } from '../validation/optional.ts';
import { IsLine } from './ops-requests.ts';

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
export async function namedTenant(database: Pick<Database, 'query'>, name: string): Promise<NamedTenant> {
  const [tenant] = name.includes('\0')
    ? []
    : await database.query<NamedTenant>('select * from platform_v1.tenant_named($1)', [name]);
  if (!tenant) {
    throw new NotFound(
      'There is no tenant of this slug or id. Search for a part of its name: npm run ops -- tenants list --search, or GET /ops/tenants?search=.',
    );
  }
  return tenant;
}

/** The tenant of this slug or id; undefined without one. */
export async function tenantNamed(
  database: Pick<Database, 'query'>,
  name: string | undefined,
): Promise<NamedTenant | undefined> {
  return name === undefined ? undefined : namedTenant(database, name);
}
