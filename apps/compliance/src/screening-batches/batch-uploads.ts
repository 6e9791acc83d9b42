import type { Acting } from '@constancia/contracts';
import type { OnceResult } from '@constancia/idempotency';
import { Database, type Tx } from '@constancia/persistence';
import { Conflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { BATCH_LIMITS } from './batch-limits.ts';
import { ScreeningBatchChunk } from './screening-batch-chunk.entity.ts';
import { ScreeningBatchView } from './screening-batch-view.ts';
import { ScreeningBatch } from './screening-batch.entity.ts';

export interface NewBatch extends Acting {
  id: string;
  tenantId: string;
  validationCode: string;
  externalRef: string | undefined;
  metadata: Record<string, string>;
}

interface NewChunk {
  batchId: string;
  firstRow: number;
  rows: number;
  sealed: Buffer;
}

/** Batches while their bodies arrive: nobody sees them until they are opened. */
@Injectable()
export class BatchUploads {
  constructor(private readonly database: Database) {}

  async isPublished(tenantId: string, code: string): Promise<boolean> {
    const rows = await this.database.tenant(tenantId, (tx) =>
      tx.query(`select 1 from compliance.validation where tenant_id = $1 and code = $2 and status = 'published'`, [
        tenantId,
        code,
      ]),
    );
    return rows.length > 0;
  }

  /** Throws Conflict when the tenant has too many unfinished batches. */
  async begin({ id, tenantId, validationCode, externalRef, metadata, actor, by }: NewBatch): Promise<void> {
    const begun = await this.database.tenant(tenantId, (tx) =>
      tx.query(
        `insert into compliance.screening_batch (id, tenant_id, validation_code, external_ref, metadata, actor, by)
         select $1, $2, $3, $4, $5, $6, $7
          where (select count(*) from compliance.screening_batch b
                  where b.tenant_id = $2 and b.status in ('receiving', 'processing', 'paused')) < $8
         returning 1`,
        [id, tenantId, validationCode, externalRef ?? null, metadata, actor, JSON.stringify(by), BATCH_LIMITS.open],
      ),
    );
    if (begun.length > 0) return;
    throw new Conflict(`${BATCH_LIMITS.open} batches are unfinished: wait for one of them, or cancel it.`, {}, { 'Retry-After': '60' }); // prettier-ignore
  }

  async addChunk(tenantId: string, { batchId, firstRow, rows, sealed }: NewChunk): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.manager.insert(ScreeningBatchChunk, {
        tenant_id: tenantId,
        batch_id: batchId,
        first_row: firstRow,
        rows,
        sealed,
      }),
    );
  }

  /** The body is complete: the batch is worked on from the commit on. `once` runs the work, or answers what an earlier request got. */
  open(
    { tenantId, id, rows }: { tenantId: string; id: string; rows: number },
    once: (tx: Tx, work: () => Promise<object>) => Promise<OnceResult>,
  ): Promise<OnceResult> {
    return this.database.tenant(tenantId, (tx) =>
      once(tx, async () => {
        const now = new Date();
        const at = { tenant_id: tenantId, id };
        const opened = { status: 'processing' as const, rows, created_at: now, progressed_at: now, due_at: now };
        const { affected } = await tx.manager.update(ScreeningBatch, { ...at, status: 'receiving' }, opened);
        if (affected !== 1) throw new Conflict('The upload took too long: send it again.');
        const batch = await tx.manager.findOneBy(ScreeningBatch, at);
        if (!batch) throw new Error('a batch that was opened is there');
        return ScreeningBatchView.of(batch);
      }),
    );
  }

  /** Its chunks go with it. */
  async discard(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) =>
      tx.manager.delete(ScreeningBatch, { tenant_id: tenantId, id, status: 'receiving' }),
    );
  }

  /** Deletes uploads that nobody ended. */
  async forget(afterSeconds: number): Promise<void> {
    await this.database.query('select compliance.forget_unfinished_uploads($1)', [afterSeconds]);
  }
}
