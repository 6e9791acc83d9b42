import type { Readable } from 'node:stream';
import type { Acting } from '@constancia/contracts';
import { stillUnderWay } from '@constancia/http';
import { Idempotency, type OnceResult, requestFingerprint } from '@constancia/idempotency';
import { uuidv7 } from '@constancia/kernel';
import { PersonalData } from '@constancia/personal-data';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { noPublished } from '../screenings/screen.ts';
import { BatchFile, type BatchType } from './batch-file.ts';
import { BATCH_LIMITS, CHUNK } from './batch-limits.ts';
import type { BatchSubject } from './batch-rows.ts';
import { BatchUploads } from './batch-uploads.ts';
import { sealChunk } from './sealed-chunk.ts';

/** What is to be screened, for whom. */
export interface BatchOrder extends Acting {
  tenantId: string;
  validationCode: string;
  externalRef: string | undefined;
  metadata: Record<string, string>;
  type: BatchType;
  body: Readable;
  key: string | undefined;
}

/** What a file was found to be. */
export interface ReadBatch {
  rows: number;
  /** Of wrong rows, at most BATCH_LIMITS.errors. */
  errors: RowError[];
  sha256: string | undefined;
}

export interface RowError extends FieldError {
  /** From 1; 0: the header. */
  row: number;
  line: number;
}

/** Each holds a chunk in memory, and a connection of the pool now and then. */
const MOST_AT_ONCE = 8;

/** Takes batches in: reads and checks a body as it arrives, and stores it. */
@Injectable()
export class ReceiveBatch {
  private underWay = 0;

  constructor(
    private readonly uploads: BatchUploads,
    private readonly personal: PersonalData,
    private readonly idempotency: Idempotency,
    private readonly queues: Queues,
  ) {}

  /** Checks the whole file and keeps nothing. */
  check(order: Pick<BatchOrder, 'tenantId' | 'validationCode' | 'type' | 'body'>): Promise<ReadBatch> {
    return this.oneOfFew(async () => {
      await this.requirePublished(order);
      return readFile(new BatchFile(order.type, order.body), async () => undefined);
    });
  }

  /** Stores the file as a batch, or nothing of it: throws ValidationError with the errors of its rows. */
  accept(order: BatchOrder): Promise<OnceResult> {
    return this.oneOfFew(async () => {
      await this.requirePublished(order);
      const id = uuidv7();
      const { tenantId, validationCode, externalRef, metadata, actor, by } = order;
      await this.uploads.begin({ id, tenantId, validationCode, externalRef, metadata, actor, by });
      try {
        const result = await this.store(id, order);
        if (result.replayed) await this.uploads.discard(tenantId, id);
        else this.queues.hint('screening-batch', { v: 1 }, 'screening-batch');
        return result;
      } catch (error) {
        await this.uploads.discard(tenantId, id).catch(() => undefined); // the sweep does it
        throw error;
      }
    });
  }

  private async store(id: string, order: BatchOrder): Promise<OnceResult> {
    const { tenantId, type, body } = order;
    const keyring = await this.personal.tenant(tenantId);
    const { rows, errors, sha256 } = await readFile(new BatchFile(type, body), (subjects, firstRow) => {
      const sealed = sealChunk(keyring, { batchId: id, firstRow }, subjects);
      return this.uploads.addChunk(tenantId, { batchId: id, firstRow, rows: subjects.length, sealed });
    });
    if (errors.length > 0)
      throw new ValidationError(errors.map(({ pointer, code, detail }) => ({ pointer, code, detail })));
    const request = order.key === undefined ? undefined : { key: order.key, fingerprint: fingerprintOf(order, sha256) };
    return this.uploads.open({ tenantId, id, rows }, (tx, work) =>
      this.idempotency.once(tx, tenantId, request, { status: 202, work }),
    );
  }

  private async requirePublished({ tenantId, validationCode }: Pick<BatchOrder, 'tenantId' | 'validationCode'>) {
    if (!(await this.uploads.isPublished(tenantId, validationCode))) throw noPublished(validationCode);
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

function fingerprintOf(
  { type, validationCode, externalRef, metadata }: BatchOrder,
  sha256: string | undefined,
): Buffer {
  const own = Object.keys(metadata).length === 0 ? {} : { metadata };
  const body = { validationCode, externalRef: externalRef ?? null, ...own, sha256: sha256 ?? null };
  return requestFingerprint({ method: 'POST', route: '/v1/screening-batches', contentType: type, body });
}

type OnChunk = (subjects: BatchSubject[], firstRow: number) => Promise<void>;

/** Reads until the end, or until there are errors enough. Chunks are handed on while every row was right. */
async function readFile(file: BatchFile, onChunk: OnChunk): Promise<ReadBatch> {
  const errors: RowError[] = [];
  let [rows, size, chunk]: [number, number, BatchSubject[]] = [0, 0, []];
  const flush = async (): Promise<void> => {
    if (chunk.length > 0) await onChunk(chunk, rows - chunk.length + 1);
    [chunk, size] = [[], 0];
  };
  for await (const { row, line, ...read } of file.rows()) {
    if ('errors' in read) errors.push(...read.errors.map((error) => ({ ...error, row, line })));
    else if (errors.length === 0) {
      const characters = JSON.stringify(read.subject).length;
      if (chunk.length === CHUNK.rows || size + characters > CHUNK.characters) await flush();
      chunk.push(read.subject);
      size += characters;
    }
    rows = row;
    if (rows > BATCH_LIMITS.rows) errors.push({ ...tooMany(row), row, line });
    if (errors.length >= BATCH_LIMITS.errors || rows > BATCH_LIMITS.rows) break;
  }
  if (errors.length === 0 && rows === 0) errors.push({ ...NO_ROWS, row: 0, line: 1 });
  if (errors.length === 0) await flush();
  return { rows, errors: errors.slice(0, BATCH_LIMITS.errors), sha256: file.sha256 };
}

const NO_ROWS = { pointer: '', code: 'required', detail: 'The file has no rows: send at least one.' };

function tooMany(row: number): FieldError {
  return { pointer: `/rows/${row}`, code: 'too_many', detail: `A batch has at most ${BATCH_LIMITS.rows} rows.` };
}
