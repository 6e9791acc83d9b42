import type { Period } from '@constancia/http';
import type { Database, Tx } from '@constancia/persistence';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { type IdPrefix, uuidOf } from '@constancia/kernel';
import {
  And, type EntityTarget, type FindOptionsOrder, type FindOptionsWhere, LessThan, MoreThan, MoreThanOrEqual, Not,
} from 'typeorm'; // prettier-ignore
import type { BatchRecord, BatchRowRecord, BatchTables } from './batch-records.ts';
import type { BatchStatus } from './batch-status.ts';

/** The first page of a list, or the one after a cursor. */
export interface BatchFilter {
  status?: BatchStatus;
  externalRef?: string;
  created: Period;
  afterId?: string;
  order: 'asc' | 'desc';
  limit: number;
}

export interface BatchEntities<Batch, Row> {
  tables: BatchTables;
  batch: EntityTarget<Batch>;
  row: EntityTarget<Row>;
  /** Of the batch's TypeID. */
  prefix: IdPrefix;
  /** Answered when there is none. */
  missing: string;
}

/** A tenant's batches. One whose body is still arriving is in none of the answers. */
export class Batches<Batch extends BatchRecord, Row extends BatchRowRecord> {
  constructor(
    private readonly database: Database,
    private readonly of: BatchEntities<Batch, Row>,
  ) {}

  /** One batch by its TypeID. Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<Batch> {
    return this.database.tenant(tenantId, (tx) => this.findIn(tx, tenantId, id));
  }

  list(tenantId: string, { status, externalRef, created, afterId, order, limit }: BatchFilter): Promise<Batch[]> {
    const beyond = order === 'asc' ? MoreThan : LessThan;
    const where = {
      tenant_id: tenantId,
      status: status ?? Not('receiving' as const),
      ...(externalRef !== undefined && { external_ref: externalRef }),
      ...createdIn(created),
      ...(afterId !== undefined && { id: beyond(afterId) }),
    } as FindOptionsWhere<Batch>;
    return this.database.tenant(tenantId, (tx) =>
      tx.manager.find(this.of.batch, { where, order: { id: order } as FindOptionsOrder<Batch>, take: limit }),
    );
  }

  /** Ends a batch; what is committed of it stays, and from the answer on nothing is added. Throws NotFound and StateConflict. */
  cancel(tenantId: string, id: string): Promise<Batch> {
    const { schema, name, made } = this.of.tables;
    const table = `${schema}.${name}`;
    return this.database.tenant(tenantId, async (tx) => {
      const found = await this.findIn(tx, tenantId, id);
      const at = [tenantId, found.id];
      const canceled = await tx.query(
        `update ${table} set status = 'canceled', reason = null, lease_token = null, finished_at = now()
          where tenant_id = $1 and id = $2 and status in ('processing', 'paused') returning 1`,
        at,
      );
      const ended = await this.findIn(tx, tenantId, id);
      if (canceled.length === 0 && ended.status !== 'canceled')
        throw new StateConflict(`The batch is ${ended.status}: it cannot be cancelled.`);
      await tx.query(`delete from ${table}_chunk where tenant_id = $1 and batch_id = $2`, at);
      const [counted] = await tx.query<Pick<BatchRecord, 'processed' | 'skipped'>>(
        `update ${table} set (processed, skipped) = (select count(*), count(*) filter (where r.${made} is null)
             from ${table}_row r where r.tenant_id = $1 and r.batch_id = $2)
          where tenant_id = $1 and id = $2 returning processed, skipped`,
        at,
      );
      return { ...ended, ...counted };
    });
  }

  /** Rows that are done, in pages, in their order. */
  async *doneRows(tenantId: string, batchId: string, pageSize: number): AsyncGenerator<Row[]> {
    for (let after = 0; ;) {
      const where = { tenant_id: tenantId, batch_id: batchId, row_number: MoreThan(after) } as FindOptionsWhere<Row>;
      const order = { row_number: 'ASC' } as FindOptionsOrder<Row>;
      const rows = await this.database.tenant(tenantId, (tx) =>
        tx.manager.find(this.of.row, { where, order, take: pageSize }),
      );
      if (rows.length > 0) yield rows;
      if (rows.length < pageSize) return;
      after = rows.at(-1)?.row_number ?? after;
    }
  }

  private async findIn(tx: Tx, tenantId: string, id: string): Promise<Batch> {
    const uuid = uuidOf(this.of.prefix, id);
    const where = { tenant_id: tenantId, id: uuid ?? undefined, status: Not('receiving' as const) };
    const batch = uuid ? await tx.manager.findOneBy(this.of.batch, where as FindOptionsWhere<Batch>) : null;
    if (!batch) throw new NotFound(this.of.missing);
    return batch;
  }
}

function createdIn({ from, to }: Period): FindOptionsWhere<BatchRecord> {
  const bounds = [...(from ? [MoreThanOrEqual(from)] : []), ...(to ? [LessThan(to)] : [])];
  return bounds.length === 0 ? {} : { created_at: And(...bounds) };
}
