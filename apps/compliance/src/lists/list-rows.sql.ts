import type { ListCode } from '@constancia/reference-data';
import type { Database, Tx } from '@constancia/persistence';
import type { ListVersion } from './list-version.entity.ts';

/** What is known of an active version without its contents. */
// prettier-ignore
export type ActiveList = Pick<
  ListVersion,
  | 'id' | 'list' | 'tenant_id' | 'version' | 'entries' | 'published_at' | 'imported_at' | 'checked_at' | 'sha256'
  | 'fictional'
>;

/** Moves whenever what is active changes. */
export async function readTicks(database: Database): Promise<number> {
  const [row] = await database.query<{ ticks: number }>('select ticks from compliance.list_clock');
  return row?.ticks ?? 0;
}

/** What is active, the operator's lists and every tenant's. */
export function activeLists(database: Database): Promise<ActiveList[]> {
  return database.query<ActiveList>('select * from compliance.active_lists()');
}

/** A transaction that reads and writes the tenant's own list, or, without a tenant, the operator's. */
export function listTransaction<T>(
  database: Database,
  tenantId: string | null,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return tenantId === null ? database.transaction(work) : database.tenant(tenantId, work);
}

/** The version of that name, active or not; undefined when there is none. */
export async function versionNamed(
  database: Database,
  list: ListCode,
  tenantId: string | null,
  version: string,
): Promise<ActiveList | undefined> {
  const [row] = await listTransaction(database, tenantId, (tx) =>
    tx.query<ActiveList>(
      `select id, list, tenant_id, version, entries, published_at, imported_at, checked_at, sha256, fictional
         from compliance.list_version
        where list = $1 and tenant_id is not distinct from $2 and version = $3 and status <> 'refused'`,
      [list, tenantId, version],
    ),
  );
  return row;
}
