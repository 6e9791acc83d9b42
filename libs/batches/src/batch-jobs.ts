import type { TenantStanding } from '@constancia/contracts';
import { type EventRecord, emitEvent } from '@constancia/events';
import type { Database } from '@constancia/persistence';
import type { Leased, LeaseStore } from '@constancia/queue';
import type { BatchRecord, BatchTables } from './batch-records.ts';
import type { CommonReason } from './batch-status.ts';

export const LEASE_SECONDS = 30;

/** A batch that this process works on; `attempts` counts this turn too. */
export type ClaimedBatch<Own extends object = object, Reason extends string = string> = Leased &
  Pick<
    BatchRecord<Reason>,
    'id' | 'tenant_id' | 'status' | 'reason' | 'external_ref' | 'rows' | 'actor' | 'by' | 'attempts' | 'created_at'
  > &
  Own;

/** What a batch was found to be when it ended. */
export type EndedBatch = Pick<BatchRecord, 'processed' | 'skipped' | 'rows' | 'metadata'>;

export interface BatchKind<Batch extends ClaimedBatch> {
  tables: BatchTables;
  /** SQL of an array of texts: whose rows are left out, since they were erased at $4 or later. Of the tenant $1. */
  erased: string;
  endedEvent: (batch: Batch, status: 'completed' | 'failed', ended: EndedBatch) => EventRecord;
}

/** Rows that are not done, or not all of them. */
export interface StoredChunk {
  first_row: number;
  rows: number;
  sealed: Buffer;
  /** Numbers of the rows that are done. */
  done: number[];
  /** Who was erased since the batch was accepted. */
  erased: string[];
}

export interface Backlog {
  processing: number;
  paused: number;
  stalled_seconds: number;
}

/** What was done since it was last written. */
export interface Progress {
  /** All rows up to this one are done. */
  throughRow: number;
  /** Rows of them that nothing was made of. */
  skipped: number;
}

/** Of a batch that is leased and was neither cancelled nor taken over. */
const OURS = `tenant_id = $1 and id = $2 and lease_token = $3 and status in ('processing', 'paused')`;
/** The work on batches in Postgres. What is written of one is fenced by its lease: false when it was lost. */
export class BatchJobs<
  Batch extends ClaimedBatch<object, Reason>,
  Reason extends string = string,
> implements LeaseStore<Batch> {
  private readonly table: string;
  private readonly marks: string;
  /** Counted from the marks, since a chunk may be done in part. */
  private readonly counted: string;

  constructor(
    private readonly database: Database,
    private readonly kind: BatchKind<Batch>,
  ) {
    const { schema, name, made } = kind.tables;
    this.table = `${schema}.${name}`;
    this.marks = `${this.table}_row r where r.tenant_id = $1 and r.batch_id = $2`;
    this.counted = `(processed, skipped) = (select count(*), count(*) filter (where r.${made} is null) from ${this.marks})`;
  }

  claim(): Promise<Batch[]> {
    const { schema, name } = this.kind.tables;
    return this.database.query<Batch>(`select * from ${schema}.claim_${name}($1)`, [LEASE_SECONDS]);
  }

  async extend(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches)
      await this.update(batch, 'due_at = now() + make_interval(secs => $4)', [LEASE_SECONDS]);
  }

  /** The first chunk behind a row. */
  async nextChunk({ tenant_id, id, created_at }: Batch, afterRow: number): Promise<StoredChunk | undefined> {
    const [chunk] = await this.database.tenant(tenant_id, (tx) =>
      tx.query<StoredChunk>(
        `select c.first_row, c.rows, c.sealed,
                array(select r.row_number from ${this.marks} and r.row_number between c.first_row and c.first_row + c.rows - 1) as done,
                ${this.kind.erased} as erased
           from ${this.table}_chunk c
          where c.tenant_id = $1 and c.batch_id = $2 and c.first_row > $3 order by c.first_row limit 1`,
        [tenant_id, id, afterRow, created_at],
      ),
    );
    return chunk;
  }

  /** Deletes the chunks that are done. */
  advance(batch: Batch, { throughRow, skipped }: Progress): Promise<boolean> {
    return this.database.tenant(batch.tenant_id, async (tx) => {
      const advanced = await tx.query(
        `update ${this.table}
            set processed = $4, skipped = skipped + $5, status = 'processing', reason = null, trouble = null, attempts = 0,
                progressed_at = now(), due_at = now() + make_interval(secs => $6)
          where ${OURS} returning 1`,
        [batch.tenant_id, batch.id, batch.lease_token, throughRow, skipped, LEASE_SECONDS],
      );
      if (advanced.length === 0) return false;
      await tx.query(`delete from ${this.table}_chunk where tenant_id = $1 and batch_id = $2 and first_row <= $3`, [
        batch.tenant_id,
        batch.id,
        throughRow,
      ]);
      return true;
    });
  }

  /** Others have their turn. */
  giveBack(batch: Batch): Promise<boolean> {
    return this.update(batch, 'lease_token = null, due_at = now()', []);
  }

  /** Without a reason it is tried again, and its tenant does not see that it failed. */
  defer(batch: Batch, seconds: number, trouble: string, reason?: Reason | CommonReason): Promise<boolean> {
    return this.update(
      batch,
      `lease_token = null, due_at = now() + make_interval(secs => $4), trouble = $5, reason = coalesce($6, reason),
       status = case when $6::text is null then status else 'paused' end, ${this.counted}`,
      [seconds, trouble, reason ?? null],
    );
  }

  /** Answers the event; undefined when another process, or a cancel, ended the batch. */
  end(
    batch: Batch,
    status: 'completed' | 'failed',
    reason: Reason | CommonReason | null,
  ): Promise<EventRecord | undefined> {
    return this.database.tenant(batch.tenant_id, async (tx) => {
      const [ended] = await tx.query<EndedBatch>(
        `update ${this.table}
            set status = $4, reason = $5, lease_token = null, finished_at = now(), trouble = null, ${this.counted}
          where ${OURS} returning processed, skipped, rows, metadata`,
        [batch.tenant_id, batch.id, batch.lease_token, status, reason],
      );
      if (!ended) return undefined;
      await tx.query(`delete from ${this.table}_chunk where tenant_id = $1 and batch_id = $2`, [
        batch.tenant_id,
        batch.id,
      ]);
      const event = this.kind.endedEvent(batch, status, ended);
      await emitEvent(tx, event);
      return event;
    });
  }

  async isOfClosedTenant({ tenant_id }: Batch): Promise<boolean> {
    const [row] = await this.database.query<{ standing: TenantStanding | null }>(
      'select platform_v1.tenant_standing($1) as standing',
      [tenant_id],
    );
    return row?.standing === 'closed';
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.database.query<Backlog>(`select * from ${this.table}_backlog()`);
    return row ?? { processing: 0, paused: 0, stalled_seconds: 0 };
  }

  private async update(batch: Batch, set: string, params: unknown[]): Promise<boolean> {
    const updated = await this.database.tenant(batch.tenant_id, (tx) =>
      tx.query(`update ${this.table} set ${set} where ${OURS} returning 1`, [
        batch.tenant_id,
        batch.id,
        batch.lease_token,
        ...params,
      ]),
    );
    return updated.length > 0;
  }
}
