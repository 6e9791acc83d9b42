import type { Acting } from '@constancia/contracts';
import type { OnceResult } from '@constancia/idempotency';
import type { Database, Tx } from '@constancia/persistence';
import { Conflict } from '@constancia/problem-json';
import type { BatchLimits } from './batch-limits.ts';
import type { BatchRecord, BatchTables } from './batch-records.ts';

export interface NewBatch extends Acting {
  id: string;
  tenantId: string;
  externalRef: string | undefined;
  metadata: Record<string, string>;
  /** Columns that batches of this kind have beside the common ones. */
  own: Record<string, string>;
}

interface NewChunk {
  batchId: string;
  firstRow: number;
  rows: number;
  sealed: Buffer;
}

/** Batches while their bodies arrive: nobody sees them until they are opened. */
export class BatchUploads<Batch extends BatchRecord = BatchRecord> {
  private readonly table: string;

  constructor(
    private readonly database: Database,
    private readonly tables: BatchTables,
    private readonly limits: Pick<BatchLimits, 'open'>,
    private readonly viewOf: (batch: Batch) => object,
  ) {
    this.table = `${tables.schema}.${tables.name}`;
  }

  /** Throws Conflict when the tenant has too many unfinished batches. */
  async begin({ id, tenantId, externalRef, metadata, actor, by, own }: NewBatch): Promise<void> {
    const { open } = this.limits;
    const names = Object.keys(own);
    const begun = await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `insert into ${this.table} (${['id', 'tenant_id', 'external_ref', 'metadata', 'actor', 'by', ...names].join(', ')})
         select ${['$1', '$2', '$3', '$4', '$5', '$6', ...names.map((_, nth) => `$${nth + 8}`)].join(', ')}
          where (select count(*) from ${this.table} b
                  where b.tenant_id = $2 and b.status in ('receiving', 'processing', 'paused')) < $7
         returning 1`,
        [id, tenantId, externalRef ?? null, metadata, actor, JSON.stringify(by), open, ...Object.values(own)],
      ),
    );
    if (begun.length > 0) return;
    throw new Conflict(
      `${open} batches are unfinished: wait for one of them, or cancel it.`,
      {},
      { 'Retry-After': '60' },
    );
  }

  async addChunk(tenantId: string, { batchId, firstRow, rows, sealed }: NewChunk): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `insert into ${this.table}_chunk (tenant_id, batch_id, first_row, rows, sealed) values ($1, $2, $3, $4, $5)`,
        [tenantId, batchId, firstRow, rows, sealed],
      ),
    );
  }

  /** The body is complete: the batch is worked on from the commit on. `once` runs the work, or answers what an earlier request got. */
  open(
    { tenantId, id, rows }: { tenantId: string; id: string; rows: number },
    once: (tx: Tx, work: () => Promise<object>) => Promise<OnceResult>,
  ): Promise<OnceResult> {
    return this.database.tenant(tenantId, (tx) =>
      once(tx, async () => {
        const [batch] = await tx.query<Batch>(
          `update ${this.table} set status = 'processing', rows = $3, created_at = $4, progressed_at = $4, due_at = $4
            where tenant_id = $1 and id = $2 and status = 'receiving' returning *`,
          [tenantId, id, rows, new Date()],
        );
        if (!batch) throw new Conflict('The upload took too long: send it again.');
        return this.viewOf(batch);
      }),
    );
  }

  /** Its chunks go with it. */
  async discard(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.query(`delete from ${this.table} where tenant_id = $1 and id = $2 and status = 'receiving'`, [tenantId, id]),
    );
  }

  /** Deletes uploads that nobody ended. */
  async forget(afterSeconds: number): Promise<void> {
    await this.database.query(`select ${this.tables.schema}.forget_unfinished_uploads($1)`, [afterSeconds]);
  }
}
