import { uuidOf } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, In, IsNull, LessThan, MoreThan, MoreThanOrEqual, Not } from 'typeorm';
import type { Period } from '../period.ts';
import { ScreeningBatchChunk } from './screening-batch-chunk.entity.ts';
import { ScreeningBatchRow } from './screening-batch-row.entity.ts';
import { type BatchStatus, ScreeningBatch } from './screening-batch.entity.ts';

/** The first page of a list, or the one after a cursor. */
export interface BatchFilter {
  status?: BatchStatus;
  externalRef?: string;
  created: Period;
  afterId?: string;
  order: 'asc' | 'desc';
  limit: number;
}

/** A tenant's batches. One whose body is still arriving is in none of the answers. */
@Injectable()
export class ScreeningBatches {
  constructor(private readonly database: Database) {}

  /** One batch by its TypeID. Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<ScreeningBatch> {
    return this.database.tenant(tenantId, (tx) => this.findIn(tx, tenantId, id));
  }

  list(
    tenantId: string,
    { status, externalRef, created, afterId, order, limit }: BatchFilter,
  ): Promise<ScreeningBatch[]> {
    const beyond = order === 'asc' ? MoreThan : LessThan;
    const where = {
      tenant_id: tenantId,
      status: status ?? Not('receiving' as const),
      ...(externalRef !== undefined && { external_ref: externalRef }),
      ...createdIn(created),
      ...(afterId !== undefined && { id: beyond(afterId) }),
    };
    return this.database.tenant(tenantId, (tx) =>
      tx.manager.find(ScreeningBatch, { where, order: { id: order }, take: limit }),
    );
  }

  /** Ends a batch; what is committed of it stays, and from the answer on nothing is added. Throws NotFound and StateConflict. */
  cancel(tenantId: string, id: string): Promise<ScreeningBatch> {
    return this.database.tenant(tenantId, async (tx) => {
      const found = await this.findIn(tx, tenantId, id);
      const at = { tenant_id: tenantId, id: found.id };
      const { affected } = await tx.manager.update(
        ScreeningBatch,
        { ...at, status: In(['processing', 'paused']) },
        { status: 'canceled', reason: null, lease_token: null, finished_at: new Date() },
      );
      const ended = await this.findIn(tx, tenantId, id);
      if (affected !== 1 && ended.status !== 'canceled')
        throw new StateConflict(`The batch is ${ended.status}: it cannot be cancelled.`);
      const marks = { tenant_id: tenantId, batch_id: found.id };
      await tx.manager.delete(ScreeningBatchChunk, marks);
      const counted = {
        processed: await tx.manager.countBy(ScreeningBatchRow, marks),
        skipped: await tx.manager.countBy(ScreeningBatchRow, { ...marks, screening_id: IsNull() }),
      };
      await tx.manager.update(ScreeningBatch, at, counted);
      return { ...ended, ...counted };
    });
  }

  /** Rows that are done, in pages, in their order. */
  async *doneRows(tenantId: string, batchId: string, pageSize: number): AsyncGenerator<ScreeningBatchRow[]> {
    for (let after = 0; ;) {
      const where = { tenant_id: tenantId, batch_id: batchId, row_number: MoreThan(after) };
      const rows = await this.database.tenant(tenantId, (tx) =>
        tx.manager.find(ScreeningBatchRow, { where, order: { row_number: 'ASC' }, take: pageSize }),
      );
      if (rows.length > 0) yield rows;
      if (rows.length < pageSize) return;
      after = rows.at(-1)?.row_number ?? after;
    }
  }

  private async findIn(tx: Tx, tenantId: string, id: string): Promise<ScreeningBatch> {
    const uuid = uuidOf('scb', id);
    const where = { tenant_id: tenantId, id: uuid ?? undefined, status: Not('receiving' as const) };
    const batch = uuid ? await tx.manager.findOneBy(ScreeningBatch, where) : null;
    if (!batch) throw new NotFound('No such screening batch.');
    return batch;
  }
}

function createdIn({ from, to }: Period): FindOptionsWhere<ScreeningBatch> {
  const bounds = [...(from ? [MoreThanOrEqual(from)] : []), ...(to ? [LessThan(to)] : [])];
  return bounds.length === 0 ? {} : { created_at: And(...bounds) };
}
