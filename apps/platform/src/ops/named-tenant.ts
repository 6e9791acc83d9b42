import type { Database } from '@constancia/persistence';
import { type OpsFields, OpsRefusal } from '@constancia/telemetry';

export interface NamedTenant {
  id: string;
  slug: string;
}

/** The tenant of this slug or id. Throws OpsRefusal 404. */
export async function namedTenant(database: Database, name: string): Promise<NamedTenant> {
  const [tenant] = await database.query<NamedTenant>('select * from platform.ops_find_tenant($1)', [name]);
  if (!tenant) {
    throw new OpsRefusal(
      404,
      'There is no tenant of this slug or id: GET /ops/tenants?search= finds it by a part of its name.',
    );
  }
  return tenant;
}

/** The tenant that the member `tenant` names; undefined when it is not given. */
export async function tenantIn(database: Database, fields: OpsFields): Promise<NamedTenant | undefined> {
  const name = fields.text('tenant', { max: 79 });
  return name === undefined ? undefined : namedTenant(database, name);
}
