import type { Database } from '@constancia/persistence';
import type { ListContents } from '../lists/list-contents.ts';
import { listTransaction } from '../lists/list-rows.sql.ts';
import type { ClaimedJob } from './rescreen-jobs.ts';

/**
 * What every version between two changed, each as stored (packed EntryChanges), and the entries themselves when there was no list
 * before the first. Together they name every entry that differs anywhere on the way.
 */
export async function packedChangesOf(
  database: Database,
  contents: Pick<ListContents, 'read'>,
  job: ClaimedJob,
): Promise<Buffer[]> {
  const owner = job.own ? job.tenant_id : null;
  const steps = await listTransaction(database, owner, (tx) =>
    tx.query<{ id: string }>(
      `with recursive steps as (
         select id, previous_id from compliance.list_version where id = $1
         union all
         select v.id, v.previous_id from compliance.list_version v
           join steps s on v.id = s.previous_id
          where s.previous_id is distinct from $2::uuid
       )
       select id from steps`,
      [job.to_version, job.from_version],
    ),
  );
  const packed: Buffer[] = [];
  for (const { id } of steps) {
    const changes = await contents.read({ id, tenant_id: owner }, 'changes');
    if (changes === undefined) throw new Error(`version ${id} of ${job.list} has no stored changes`);
    packed.push(changes);
  }
  return packed;
}
