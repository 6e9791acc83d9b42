import { NotFound } from '@constancia/problem-json';
import type { Tx } from '@constancia/persistence';

export const REPLAY_RUN_STATUSES = ['running', 'completed', 'cancelled'] as const;

/** A row of platform.replay_run, as far as the API shows it. */
export interface ReplayRun {
  id: string;
  status: (typeof REPLAY_RUN_STATUSES)[number];
  dry_run: boolean;
  statuses: string[];
  module: string | null;
  event_type: string | null;
  from_at: Date | null;
  to_at: Date | null;
  missing: boolean;
  endpoint_id: string | null;
  max_deliveries: number;
  matched: number;
  replayed: number;
  skipped: number;
  created_at: Date;
  finished_at: Date | null;
}

export const RUN_COLUMNS = `id, status, dry_run, statuses, module, event_type, from_at, to_at, missing, endpoint_id,
  max_deliveries, matched, replayed, skipped, created_at, finished_at`;

/** A run of the transaction's tenant. Throws NotFound. */
export async function requireRun(tx: Tx, tenantId: string, uuid: string): Promise<ReplayRun> {
  const [run] = await tx.query<ReplayRun>(
    `select ${RUN_COLUMNS} from platform.replay_run where tenant_id = $1 and id = $2`,
    [tenantId, uuid],
  );
  if (!run) throw new NotFound();
  return run;
}
