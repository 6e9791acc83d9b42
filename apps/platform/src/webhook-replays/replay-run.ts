import { NotFound } from '@constancia/problem-json';
import type { Tx } from '@constancia/persistence';
import { ReplayRun } from './replay-run.entity.ts';

export const REPLAY_RUN_STATUSES = ['running', 'completed', 'cancelled'] as const;

/** A run of the transaction's tenant. Throws NotFound. */
export async function requireRun(tx: Tx, tenantId: string, uuid: string): Promise<ReplayRun> {
  const run = await tx.manager.findOneBy(ReplayRun, { id: uuid, tenant_id: tenantId });
  if (!run) throw new NotFound();
  return run;
}
