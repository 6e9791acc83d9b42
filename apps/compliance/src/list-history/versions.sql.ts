import type { Tx } from '@constancia/persistence';
import type { ListCode } from '@constancia/reference-data';
import type { Refusal } from '../lists/list-refused.ts';
import type { ListVersion } from '../lists/list-version.entity.ts';

/** A row of compliance.rescreen_job as JSON: its times are texts. */
interface Rescreening {
  status: 'pending' | 'running' | 'done';
  subjects: number;
  affected: number;
  rescreened: number;
  requested_at: string;
  finished_at: string | null;
}

// prettier-ignore
export type ListedVersion = Pick<
  ListVersion,
  | 'id' | 'list' | 'tenant_id' | 'version' | 'status' | 'entries' | 'added' | 'changed' | 'removed' | 'published_at'
  | 'imported_at' | 'operator'
> & { refusal: Pick<Refusal, 'code'> | null; rescreening: Rescreening | null };

interface Asked {
  list: ListCode;
  /** Whose list; null: the operator's. */
  owner: string | null;
}

/** Versions of a list, the newest first, with the effect of each on the tenant of the transaction. What an operator's import refused is left out. */
export function listedVersions(
  tx: Tx,
  { list, owner }: Asked,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<ListedVersion[]> {
  return tx.query<ListedVersion>(
    `select v.id, v.list, v.tenant_id, v.version, v.status, v.entries, v.added, v.changed, v.removed, v.published_at, v.imported_at,
            v.operator, v.refusal,
            (select jsonb_build_object('status', j.status, 'subjects', j.subjects, 'affected', j.affected,
                                       'rescreened', j.rescreened, 'requested_at', j.requested_at, 'finished_at', j.finished_at)
               from compliance.rescreen_job j
              where j.to_version = v.id and j.tenant_id = current_setting('app.tenant_id')::uuid
              order by j.requested_at desc limit 1) as rescreening
       from compliance.list_version v
      where v.list = $1 and v.tenant_id is not distinct from $2 and ($3::uuid is null or v.id < $3)
        and (v.status <> 'refused' or v.tenant_id is not null)
      order by v.id desc limit $4`,
    [list, owner, beforeId ?? null, limit],
  );
}

/** A version that was not refused, by its name, with how many entries it added, changed and removed. */
export async function versionNamed(
  tx: Tx,
  { list, owner }: Asked,
  version: string,
): Promise<Pick<ListVersion, 'id' | 'tenant_id' | 'added' | 'changed' | 'removed'> | undefined> {
  const [row] = await tx.query<Pick<ListVersion, 'id' | 'tenant_id' | 'added' | 'changed' | 'removed'>>(
    `select id, tenant_id, added, changed, removed from compliance.list_version
      where list = $1 and tenant_id is not distinct from $2 and version = $3 and status <> 'refused'`,
    [list, owner, version],
  );
  return row;
}
