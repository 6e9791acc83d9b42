import { PeriodicTask, uuidFloor } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import type { PersonalData } from './personal-data.ts';
import type { TenantKeyring } from './tenant-keyring.ts';

const EVERY_MS = 60_000;
const BATCH = 100;
/** A request that began in the compatible mode may end so long after it. */
const LATE_MS = 10 * 60_000;

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
  after_id: string;
  changed_at: Date;
}

/**
 * Seals what the release before wrote in the clear, once the upgrade is finished: in batches, in the order of ids, while everything runs.
 * Where it stands is kept, so that any process goes on where another one ended; two at once do nothing twice.
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
        `select p.table_name, p.after_id, m.changed_at from ${schema}.sealing_progress p, ${schema}.personal_data_mode m
          where p.done_at is null`,
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

  private async sealTable({ table_name: table, after_id, changed_at }: ProgressRow, sealRows: SealRows): Promise<void> {
    const { schema, database } = this.options;
    for (let after = after_id; !this.closed;) {
      const rows = await database.query<{ tenant_id: string; id: string }>(
        `select tenant_id, id from ${schema}.unsealed_rows($1, $2, $3)`,
        [table, after, BATCH],
      );
      if (rows.length === 0) return this.endPass(table, changed_at);
      for (const [tenantId, ids] of byTenant(rows)) await this.sealRows(sealRows, tenantId, ids);
      after = rows.at(-1)?.id as string;
      await this.note(table, after, false);
    }
  }

  private async sealRows(sealRows: SealRows, tenantId: string, ids: string[]): Promise<void> {
    const { database, personal } = this.options;
    const keyring = await personal.tenant(tenantId);
    await database.tenant(tenantId, (tx) => sealRows(tx, { personal, keyring, tenantId }, ids));
  }

  /** Rows of requests that were under way when the mode changed are looked for again. */
  private async endPass(table: string, changedAt: Date): Promise<void> {
    const isOver = Date.now() > changedAt.getTime() + LATE_MS;
    await this.note(table, uuidFloor(new Date(changedAt.getTime() - LATE_MS)), isOver);
  }

  private async note(table: string, after: string, isDone: boolean): Promise<void> {
    await this.options.database.query(
      `update ${this.options.schema}.sealing_progress set after_id = $2, done_at = case when $3 then now() end
        where table_name = $1`,
      [table, after, isDone],
    );
  }
}

function byTenant(rows: readonly { tenant_id: string; id: string }[]): Map<string, string[]> {
  const tenants = new Map<string, string[]>();
  for (const { tenant_id, id } of rows) tenants.set(tenant_id, [...(tenants.get(tenant_id) ?? []), id]);
  return tenants;
}
