import { IndependentWork } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import { type Logger, PeriodicWork } from '@constancia/telemetry';
import type { SealingProgress } from './sealing-progress.entity.ts';
import type { PersonalData } from './personal-data.ts';
import type { TenantKeyring } from './tenant-keyring.ts';

const EVERY_MS = 60_000;
const BATCH = 100;
/** A request that began in the compatible mode may write for this long after it. */
const LATE_SECONDS = 10 * 60;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What rows of one tenant are sealed with. */
export interface RowSealing {
  personal: PersonalData;
  keyring: TenantKeyring;
  tenantId: string;
}

/** Seals these rows of a table, as far as they are still in the clear. The transaction is of their tenant. */
export type SealRows = (tx: Tx, sealing: RowSealing, ids: readonly string[]) => Promise<void>;

export interface SealingSweepOptions {
  /** Of the module; has `sealing_progress` and `unsealed_rows(table, after, limit)` (see sealingSweepSchema). */
  schema: string;
  database: Database;
  personal: PersonalData;
  logger: Logger;
  /** By the names in `sealing_progress`. */
  tables: Readonly<Record<string, SealRows>>;
}

/** after_id: LAST_ID when a pass has ended. is_settled: no request that began in the compatible mode writes any more. */
type ProgressRow = Pick<SealingProgress, 'table_name' | 'after_id'> & { is_settled: boolean };

/**
 * Seals what the release before wrote in the clear, once the upgrade is finished: in batches, in the order of ids, while everything runs.
 * Where it stands is kept, so that any process goes on where another one ended; two at once do nothing twice. Late requests may write rows
 * of any age in the clear, so a table is done after a whole pass that began when no such request was left.
 */
export class SealingSweep extends PeriodicWork {
  private isDone = false;

  constructor(private readonly options: SealingSweepOptions) {
    super({ name: 'sealing-sweep', everyMs: EVERY_MS, logger: options.logger });
  }

  override async run(signal?: AbortSignal): Promise<void> {
    const { schema, database, personal, tables } = this.options;
    if (this.isDone || !(await personal.isSealed())) return;
    const open = await database.query<ProgressRow>(
      `select p.table_name, p.after_id, m.changed_at < now() - make_interval(secs => $1) as is_settled
         from ${schema}.sealing_progress p, ${schema}.personal_data_mode m where p.done_at is null`,
      [LATE_SECONDS],
    );
    const work = new IndependentWork();
    for (const progress of open) {
      const sealRows = tables[progress.table_name];
      if (!sealRows) continue; // a table of a newer release: its processes seal it
      await work.attempt(() => this.sealTable(progress, sealRows, work, signal), { name: progress.table_name });
    }
    work.throwFirstFailure();
    this.isDone = open.length === 0;
  }

  private async sealTable(
    { table_name: table, after_id, is_settled }: ProgressRow,
    sealRows: SealRows,
    work: IndependentWork,
    signal?: AbortSignal,
  ): Promise<void> {
    const { schema, database } = this.options;
    if (after_id === LAST_ID && !is_settled) return;
    const start = after_id === LAST_ID ? FIRST_ID : after_id;
    let isComplete = true;
    for (let after = start; !signal?.aborted;) {
      const rows = await database.query<{ tenant_id: string; id: string }>(
        `select tenant_id, id from ${schema}.unsealed_rows($1, $2, $3)`,
        [table, after, BATCH],
      );
      for (const [tenantId, ids] of byTenant(rows)) {
        // Rows of a tenant that cannot be sealed are looked for again; those of others are sealed all the same.
        const seal = () => this.sealRows(sealRows, tenantId, ids);
        if (!(await work.attempt(seal, { name: table, tenant_id: tenantId }))) isComplete = false;
      }
      const isEnd = rows.length === 0;
      after = rows.at(-1)?.id ?? LAST_ID;
      if (isComplete) await this.note(table, after, isEnd && is_settled && start === FIRST_ID);
      if (isEnd) return;
    }
  }

  private async sealRows(sealRows: SealRows, tenantId: string, ids: string[]): Promise<void> {
    const { database, personal } = this.options;
    const keyring = await personal.tenant(tenantId);
    await database.tenant(tenantId, (tx) => sealRows(tx, { personal, keyring, tenantId }, ids));
  }

  private async note(table: string, after: string, isDone: boolean): Promise<void> {
    await this.options.database.query(
      `update ${this.options.schema}.sealing_progress set after_id = $2, done_at = case when $3 then now() end
        where table_name = $1 and done_at is null`,
      [table, after, isDone],
    );
  }
}

function byTenant(rows: readonly { tenant_id: string; id: string }[]): Map<string, string[]> {
  const tenants = new Map<string, string[]>();
  for (const { tenant_id, id } of rows) tenants.set(tenant_id, [...(tenants.get(tenant_id) ?? []), id]);
  return tenants;
}
