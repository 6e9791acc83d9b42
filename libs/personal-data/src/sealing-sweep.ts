import { PeriodicTask } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
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

interface ProgressRow {
  table_name: string;
  /** LAST_ID: a pass has ended. */
  after_id: string;
  /** No request that began in the compatible mode writes any more. */
  is_settled: boolean;
}

/**
 * Seals what the release before wrote in the clear, once the upgrade is finished: in batches, in the order of ids, while everything runs.
 * Where it stands is kept, so that any process goes on where another one ended; two at once do nothing twice. Late requests may write rows
 * of any age in the clear, so a table is done after a whole pass that began when no such request was left.
 */
export class SealingSweep {
  private readonly task: PeriodicTask;
  private isDone = false;
  private closed = false;

  constructor(private readonly options: SealingSweepOptions) {
    const { logger } = options;
    this.task = new PeriodicTask({ name: 'sealing-sweep', everyMs: EVERY_MS, logger, run: () => this.sweep() });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    this.closed = true;
    return this.task.close();
  }

  /** Does what is left. Never throws: the next round goes on. */
  async sweep(): Promise<void> {
    const { schema, database, personal, logger, tables } = this.options;
    try {
      if (this.isDone || !(await personal.isSealed())) return;
      const open = await database.query<ProgressRow>(
        `select p.table_name, p.after_id, m.changed_at < now() - make_interval(secs => $1) as is_settled
           from ${schema}.sealing_progress p, ${schema}.personal_data_mode m where p.done_at is null`,
        [LATE_SECONDS],
      );
      for (const progress of open) {
        const sealRows = tables[progress.table_name];
        if (sealRows) await this.sealTable(progress, sealRows); // else a table of a newer release: its processes seal it
      }
      this.isDone = open.length === 0;
    } catch (error) {
      logger.warn({ err: error }, 'personal data in the clear could not be sealed');
    }
  }

  private async sealTable({ table_name: table, after_id, is_settled }: ProgressRow, sealRows: SealRows): Promise<void> {
    const { schema, database } = this.options;
    if (after_id === LAST_ID && !is_settled) return;
    const start = after_id === LAST_ID ? FIRST_ID : after_id;
    let isComplete = true;
    for (let after = start; !this.closed;) {
      const rows = await database.query<{ tenant_id: string; id: string }>(
        `select tenant_id, id from ${schema}.unsealed_rows($1, $2, $3)`,
        [table, after, BATCH],
      );
      for (const [tenantId, ids] of byTenant(rows)) {
        if (!(await this.sealRows(table, sealRows, tenantId, ids))) isComplete = false;
      }
      const isEnd = rows.length === 0;
      after = rows.at(-1)?.id ?? LAST_ID;
      if (isComplete) await this.note(table, after, isEnd && is_settled && start === FIRST_ID);
      if (isEnd) return;
    }
  }

  /** False when it failed: the rows of other tenants are sealed all the same, and these are looked for again. */
  private async sealRows(table: string, sealRows: SealRows, tenantId: string, ids: string[]): Promise<boolean> {
    const { database, personal, logger } = this.options;
    try {
      const keyring = await personal.tenant(tenantId);
      await database.tenant(tenantId, (tx) => sealRows(tx, { personal, keyring, tenantId }, ids));
      return true;
    } catch (error) {
      logger.warn({ err: error, table, tenant_id: tenantId }, 'personal data of a tenant could not be sealed');
      return false;
    }
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
