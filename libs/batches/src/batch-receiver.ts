import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Acting } from '@constancia/contracts';
import { type RequestsUnderWay, stillUnderWay } from '@constancia/http';
import type { Idempotency, OnceResult } from '@constancia/idempotency';
import { uuidv7 } from '@constancia/kernel';
import type { PersonalData } from '@constancia/personal-data';
import { ValidationError } from '@constancia/problem-json';
import { BatchFile, type BatchType, type RowReader } from './batch-file.ts';
import type { BatchLimits } from './batch-limits.ts';
import type { BatchTables } from './batch-records.ts';
import type { BatchUploads } from './batch-uploads.ts';
import { type OnChunk, type ReadBatch, readBatch } from './read-batch.ts';
import { sealChunk } from './sealed-chunk.ts';

/** A file that arrives. */
export interface BatchBody {
  tenantId: string;
  type: BatchType;
  body: Readable;
}

/** A batch to be stored: `own` are the columns that its kind alone has. */
export interface BatchOrder extends BatchBody, Acting {
  own: Record<string, string>;
  externalRef: string | undefined;
  metadata: Record<string, string>;
  key: string | undefined;
}

export interface BatchRows<Subject> {
  reader: RowReader<Subject>;
  /** Looks at rows that are right by themselves; undefined: nothing more is to be looked at. */
  onChunk?: OnChunk<Subject>;
}

export interface ReceiverOptions {
  tables: BatchTables;
  limits: BatchLimits;
  /** Of the request, for its Idempotency-Key; `sha256`: of the file. */
  fingerprintOf: (order: BatchOrder, sha256: string | undefined) => Buffer | Promise<Buffer>;
  /** A batch was accepted. */
  hint: () => void;
}

/** Each holds a chunk in memory, and a connection of the pool now and then. */
const MOST_AT_ONCE = 8;

/** Takes batches in: reads and checks a body as it arrives, and stores it. */
export class BatchReceiver {
  private underWay = 0;

  constructor(
    private readonly uploads: Pick<BatchUploads, 'begin' | 'addChunk' | 'open' | 'discard'>,
    private readonly personal: PersonalData,
    private readonly idempotency: Idempotency,
    private readonly requests: Pick<RequestsUnderWay, 'slices'>,
    private readonly options: ReceiverOptions,
  ) {}

  /** Checks the whole file and keeps nothing. */
  check<Subject>({ type, body }: BatchBody, { reader, onChunk }: BatchRows<Subject>): Promise<ReadBatch> {
    const { limits } = this.options;
    return this.oneOfFew(() =>
      readBatch(new BatchFile(type, body, reader, limits), limits, {
        onChunk: onChunk ?? (() => Promise.resolve([])),
        rowEnds: this.rowEnds(),
      }),
    );
  }

  /** Stores the file as a batch, or nothing of it: throws ValidationError with the errors of its rows. */
  accept<Subject>(order: BatchOrder, rows: BatchRows<Subject>): Promise<OnceResult> {
    return this.oneOfFew(async () => {
      const id = uuidv7();
      await this.uploads.begin({ id, ...order });
      try {
        const result = await this.store(id, order, rows);
        if (result.replayed) await this.uploads.discard(order.tenantId, id);
        else this.options.hint();
        return result;
      } catch (error) {
        await this.uploads.discard(order.tenantId, id).catch(() => undefined); // the sweep does it
        throw error;
      }
    });
  }

  private async store<Subject>(
    id: string,
    order: BatchOrder,
    { reader, onChunk }: BatchRows<Subject>,
  ): Promise<OnceResult> {
    const { tenantId, type, body } = order;
    const { tables, limits, fingerprintOf } = this.options;
    const keyring = await this.personal.tenant(tenantId);
    const file = new BatchFile(type, body, reader, limits);
    const storeChunk: OnChunk<Subject> = async (chunk) => {
      const wrong = (await onChunk?.(chunk)) ?? [];
      if (wrong.length > 0) return wrong;
      const at = { batchId: id, firstRow: chunk[0]?.row ?? 0 };
      const sealed = sealChunk(tables, keyring, at, chunk.map(({ subject }) => subject)); // prettier-ignore
      await this.uploads.addChunk(tenantId, { ...at, rows: chunk.length, sealed });
      return [];
    };
    const reading = { onChunk: storeChunk, rowEnds: this.rowEnds() };
    const { rows, errors, sha256 } = await readBatch(file, limits, reading);
    if (errors.length > 0)
      throw new ValidationError(errors.map(({ pointer, code, detail }) => ({ pointer, code, detail })));
    const request =
      order.key === undefined ? undefined : { key: order.key, fingerprint: await fingerprintOf(order, sha256) };
    return this.uploads.open({ tenantId, id, rows }, (tx, work) =>
      this.idempotency.once(tx, tenantId, request, { status: 202, work }),
    );
  }

  /** Other files that are being received do not count as requests: they would wait for each other. */
  private rowEnds(): () => Promise<void> {
    return this.requests.slices(() => this.underWay);
  }

  private async oneOfFew<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= MOST_AT_ONCE) throw stillUnderWay('Other batches are being received');
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
    }
  }
}

/** Of a request that a route for the two types has taken. */
export const batchTypeOf = ({ headers }: IncomingMessage): BatchType =>
  headers['content-type']?.trim().toLowerCase().startsWith('text/csv') ? 'text/csv' : 'application/x-ndjson';
