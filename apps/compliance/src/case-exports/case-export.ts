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
import { openCaseSecrets } from '../case-records/case-secrets.ts';
import { csvHeader, lineOf, lineSql, partsSql } from './export-csv.ts';

/** What is exported, for whom. Half-open: from <= opened_at < to. */
export interface ExportRequest extends Acting {
  tenantId: string;
  from: Date | undefined;
  to: Date | undefined;
  /** With a byte order mark and semicolons. */
  excel: boolean;
}

export interface StartedExport {
  /** The CSV. A reader that stops reading stops the export. */
  body: Readable;
  /** Cases that it will hold, and those of them with a ROS draft. */
  rows: number;
  rosDrafts: number;
}

/** Cases that are in memory at a time. More is not faster, and leaves more for the collector to find. */
const BATCH = 100;
/** Bytes that wait for the client at most, and the batch that is being written. */
const BUFFER_BYTES = 128 * 1024;
/** A client that takes nothing for so long is gone: it holds a connection and a snapshot. */
const STALL_MS = 60_000;
/** Each holds a connection of the pool for as long as its client reads. */
const MOST_AT_ONCE = 3;

const PERIOD = `tenant_id = $1 and ($2::timestamptz is null or opened_at >= $2) and ($3::timestamptz is null or opened_at < $3)`;

const cursor = (request: ExportRequest): string => `
  declare exported no scroll cursor for
  select case when sealed is null then ${lineSql(request)} end as line,
         case when sealed is not null then ${partsSql(request)} end as parts,
         id, subject_key_id, sealed, ros_reference is not null as ros,
         (select k.wrapped_key from compliance.subject_key k
           where k.tenant_id = c.tenant_id and k.id = c.subject_key_id) as wrapped_key
    from compliance.review_case c where ${PERIOD} order by opened_at, id`;

interface ExportedCase {
  /** Of a case in the clear. */
  line: string | null;
  /** Of a sealed one. */
  parts: string[] | null;
  id: string;
  subject_key_id: string;
  sealed: Buffer;
  wrapped_key: Buffer;
  ros: boolean;
}

/**
 * Writes cases as CSV, a batch at a time from a cursor in one snapshot, as fast as the client reads and no faster. A tenant has
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
  start(request: ExportRequest): Promise<StartedExport> {
    if (this.underWay >= MOST_AT_ONCE) throw stillUnderWay('Other exports are under way');
    return new Promise((begun, failed) => {
      const body = new PassThrough({ highWaterMark: BUFFER_BYTES });
      body.on('error', () => undefined); // its reader gets the error; before that nobody listens
      const written = new Written();
      this.underWay++;
      this.personal
        .tenant(request.tenantId)
        .then((keyring) =>
          this.database.snapshot(request.tenantId, (tx) => copy(tx, keyring, { request, body, written, begun })),
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
    { tenantId, actor, by, from, to, excel }: ExportRequest,
    written: Written,
    body: Readable,
  ): Promise<void> {
    const data = {
      by,
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

async function copy(tx: Tx, keyring: TenantKeyring, { request, body, written, begun }: ExportUnderWay): Promise<void> {
  const params = [request.tenantId, request.from ?? null, request.to ?? null];
  await takeSlot(tx, `case-export:${request.tenantId}`, STALL_MS + 30_000);
  const [counted] = await tx.query<{ rows: number; ros: number }>(
    `select count(*) as rows, count(ros_reference) as ros from compliance.review_case where ${PERIOD}`,
    params,
  );
  await tx.query(cursor(request), params);
  begun({ body, rows: counted?.rows ?? 0, rosDrafts: counted?.ros ?? 0 });
  await write(body, written, Buffer.from(csvHeader(request)));
  for (let lines = await next(tx, keyring, request); lines.rows > 0; lines = await next(tx, keyring, request)) {
    written.count(lines);
    const chunk = Buffer.from(lines.text);
    lines.text = ''; // what a dead answer of the old generation holds would be kept, until the next full collection
    await write(body, written, chunk);
  }
}

/** Lines with their ends, how many, and how many of them have a ROS draft. */
interface Lines {
  text: string;
  rows: number;
  ros: number;
}

async function next(tx: Tx, keyring: TenantKeyring, form: ExportRequest): Promise<Lines> {
  const rows = await tx.query<ExportedCase>(`fetch ${BATCH} from exported`);
  const text = rows.map((row) => `${lineText(row, keyring, form)}\r\n`).join('');
  return { text, rows: rows.length, ros: rows.filter(({ ros }) => ros).length };
}

function lineText(row: ExportedCase, keyring: TenantKeyring, form: ExportRequest): string {
  if (row.parts === null) return row.line ?? '';
  const key = keyring.subject(row.subject_key_id, row.wrapped_key);
  return lineOf(row.parts, openCaseSecrets(key, row.id, row.sealed), form);
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
