import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Acting } from '@constancia/contracts';
import { stillUnderWay } from '@constancia/http';
import { canonicalJson } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { takeSlot } from '@constancia/tenant-export';
import { Injectable } from '@nestjs/common';
import type { CsvForm } from '@constancia/batches';

/** What a file holds: cases with all that is known of them, or the rows of a report. */
export const EXPORT_CONTENTS = ['cases', 'case_report', 'screening_report'] as const;
export type ExportContent = (typeof EXPORT_CONTENTS)[number];

/** What is exported, for whom. Half-open: from <= t < to. */
export interface ExportRequest extends Acting, CsvForm {
  tenantId: string;
  content: ExportContent;
  from: Date | undefined;
  to: Date | undefined;
}

/** Where the rows of a file come from. */
export interface CsvSource<Row extends object> {
  header: string;
  /** Counts the rows and declares the cursor `exported`, in the transaction that reads them. */
  begin(tx: Tx): Promise<Counted>;
  line(row: Row, keyring: TenantKeyring): string;
  /** Whether it is a case with a ROS draft. */
  isRos(row: Row): boolean;
}

export interface Counted {
  rows: number;
  ros: number;
}

export interface StartedExport {
  /** The CSV. A reader that stops reading stops the export. */
  body: Readable;
  /** Rows that it will hold, and those of them with a ROS draft. */
  rows: number;
  rosDrafts: number;
}

/** Rows that are in memory at a time. More is not faster, and leaves more for the collector to find. */
const BATCH = 100;
/** Bytes that wait for the client at most, and the batch that is being written. */
const BUFFER_BYTES = 128 * 1024;
/** A client that takes nothing for so long is gone: it holds a connection and a snapshot. */
const STALL_MS = 60_000;
/** Each holds a connection of the pool for as long as its client reads. */
const MOST_AT_ONCE = 3;

/**
 * Writes CSV, a batch of rows at a time from a cursor in one snapshot, as fast as the client reads and no faster. A tenant has
 * one export at a time, whichever process serves it. Each, whole or not, leaves an event in the tenant's journal.
 */
@Injectable()
export class CaseExports {
  private underWay = 0;

  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
  ) {}

  /** Starts an export; answers once the store has begun. Throws Conflict while another one of the tenant is under way. */
  start<Row extends object>(request: ExportRequest, source: CsvSource<Row>): Promise<StartedExport> {
    if (this.underWay >= MOST_AT_ONCE) throw stillUnderWay('Other exports are under way');
    return new Promise((begun, failed) => {
      const body = new PassThrough({ highWaterMark: BUFFER_BYTES });
      body.on('error', () => undefined); // its reader gets the error; before that nobody listens
      const written = new Written();
      this.underWay++;
      this.personal
        .tenant(request.tenantId)
        .then((keyring) =>
          this.database.snapshot(request.tenantId, (tx) =>
            copy(tx, keyring, source, { request, body, written, begun }),
          ),
        )
        .then(() => finished(body.end())) // after the lock is free: a client that saw the end may start the next one
        .catch((error: Error) => {
          body.destroy(error);
          failed(error); // reaches the caller only when nothing had begun
        })
        .finally(() => this.underWay--)
        .then(() => (written.bytes > 0 ? this.note(request, written, body) : undefined))
        .catch(() => undefined); // the store is unavailable: what was read is in the access log
    });
  }

  private async note(
    { tenantId, actor, by, content, from, to, excel }: ExportRequest,
    written: Written,
    body: Readable,
  ): Promise<void> {
    const data = {
      by,
      content,
      from: from ?? null,
      to: to ?? null,
      excel,
      rows: written.rows,
      ros_drafts: written.rosDrafts,
      sha256: written.sha256(),
      complete: body.errored === null && body.readableEnded,
    };
    await this.database.tenant(tenantId, (tx) =>
      tx.query('select compliance.append_case_journal($1, $1, $2)', [
        tenantId,
        JSON.stringify({ type: 'exported', actor, data: canonicalJson(data) }),
      ]),
    );
  }
}

/** What left so far. */
class Written {
  rows = 0;
  rosDrafts = 0;
  bytes = 0;
  private readonly hash = createHash('sha256');

  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
  }

  count({ rows, ros }: Lines): void {
    this.rows += rows;
    this.rosDrafts += ros;
  }

  sha256(): string {
    return this.hash.digest('hex');
  }
}

interface ExportUnderWay {
  request: ExportRequest;
  body: PassThrough;
  written: Written;
  begun: (started: StartedExport) => void;
}

async function copy<Row extends object>(
  tx: Tx,
  keyring: TenantKeyring,
  source: CsvSource<Row>,
  { request, body, written, begun }: ExportUnderWay,
): Promise<void> {
  if (written.bytes > 0) throw new Error('an export is not repeated: its client has seen the beginning');
  await takeSlot(tx, `case-export:${request.tenantId}`, STALL_MS + 30_000);
  const { rows, ros } = await source.begin(tx);
  begun({ body, rows, rosDrafts: ros });
  await write(body, written, Buffer.from(source.header));
  for (let lines = await next(tx, keyring, source); lines.rows > 0; lines = await next(tx, keyring, source)) {
    written.count(lines);
    const chunk = Buffer.from(lines.text);
    lines.text = ''; // what a dead answer of the old generation holds would be kept, until the next full collection
    await write(body, written, chunk);
  }
}

/** Lines with their ends, how many, and how many of them have a ROS draft. */
interface Lines extends Counted {
  text: string;
}

async function next<Row extends object>(tx: Tx, keyring: TenantKeyring, source: CsvSource<Row>): Promise<Lines> {
  const rows = await tx.query<Row>(`fetch ${BATCH} from exported`);
  const text = rows.map((row) => `${source.line(row, keyring)}\r\n`).join('');
  return { text, rows: rows.length, ros: rows.filter((row) => source.isRos(row)).length };
}

/** Hands a chunk over and waits until the client has room. Throws when it is gone. */
async function write(body: PassThrough, written: Written, chunk: Buffer): Promise<void> {
  if (body.destroyed) throw new Error('the client is gone');
  written.add(chunk);
  if (body.write(chunk)) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(timer);
      body.off('drain', room).off('close', gone);
      if (error) reject(error);
      else resolve();
    };
    const room = () => settle();
    const gone = () => settle(new Error('the client is gone'));
    const timer = setTimeout(() => settle(new Error('the client reads no more')), STALL_MS);
    body.on('drain', room).on('close', gone);
  });
}
