import { uuidFloor } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { PersonalData } from '@constancia/personal-data';
import type { Logger } from '@constancia/telemetry';
import { type RowSealing, sealCasesById, sealScreeningsById } from './seal-rows.ts';

const EVERY_MS = 60_000;
const BATCH = 100;
/** A request that began in the compatible mode may end so long after it. */
const LATE_MS = 10 * 60_000;

const TABLES = { screening: sealScreeningsById, review_case: sealCasesById } as const;
type Table = keyof typeof TABLES;

interface ProgressRow {
  table_name: Table;
  after_id: string;
  changed_at: Date;
}

/**
 * Seals what the release before wrote in the clear, once the upgrade is finished: in batches, in the order of ids, while everything runs.
 * Where it stands is kept, so that any process goes on where another one ended; two at once do nothing twice.
 */
export class SealingSweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isDone = false;
  private closed = false;

  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.sweep());
    }, EVERY_MS);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Does what is left. Never throws: the next round goes on. */
  async sweep(): Promise<void> {
    try {
      if (this.isDone || !(await this.personal.isSealed())) return;
      const open = await this.database.query<ProgressRow>(
        `select p.table_name, p.after_id, m.changed_at from compliance.sealing_progress p, compliance.personal_data_mode m
          where p.done_at is null`,
      );
      for (const progress of open) await this.sealTable(progress);
      this.isDone = open.length === 0;
    } catch (error) {
      this.logger.warn({ err: error }, 'personal data in the clear could not be sealed');
    }
  }

  private async sealTable({ table_name: table, after_id, changed_at }: ProgressRow): Promise<void> {
    for (let after = after_id; !this.closed;) {
      const rows = await this.database.query<{ tenant_id: string; id: string }>(
        'select tenant_id, id from compliance.unsealed_rows($1, $2, $3)',
        [table, after, BATCH],
      );
      if (rows.length === 0) return this.endPass(table, changed_at);
      for (const [tenantId, ids] of byTenant(rows)) await this.sealRows(table, tenantId, ids);
      after = rows.at(-1)?.id as string;
      await this.note(table, after, false);
    }
  }

  private async sealRows(table: Table, tenantId: string, ids: string[]): Promise<void> {
    const keyring = await this.personal.tenant(tenantId);
    const sealing: RowSealing = { personal: this.personal, keyring, tenantId };
    await this.database.tenant(tenantId, (tx) => TABLES[table](tx, sealing, ids));
  }

  /** Rows of requests that were under way when the mode changed are looked for again. */
  private async endPass(table: Table, changedAt: Date): Promise<void> {
    const isOver = Date.now() > changedAt.getTime() + LATE_MS;
    await this.note(table, uuidFloor(new Date(changedAt.getTime() - LATE_MS)), isOver);
  }

  private async note(table: Table, after: string, isDone: boolean): Promise<void> {
    await this.database.query(
      'update compliance.sealing_progress set after_id = $2, done_at = case when $3 then now() end where table_name = $1',
      [table, after, isDone],
    );
  }
}

function byTenant(rows: readonly { tenant_id: string; id: string }[]): Map<string, string[]> {
  const tenants = new Map<string, string[]>();
  for (const { tenant_id, id } of rows) tenants.set(tenant_id, [...(tenants.get(tenant_id) ?? []), id]);
  return tenants;
}
