import { createHash } from 'node:crypto';
import { canonicalJson } from '@constancia/kernel';

/**
 * Rows that were taken out of the database, as a file that anybody can check (docs/guides/back-up-and-restore.md).
 *
 * NDJSON, UTF-8, every line ended by a line feed: a header, the rows as PostgreSQL wrote them (`to_jsonb`), an end. The chain of a file
 * begins with `head_before`, 64 zeros in the first file of a history and the head of the file before in all others; each row moves it:
 *
 *     head = lower-case hex of SHA-256( head before ‖ line )
 *
 * `previous_sha256` is the SHA-256 of the whole file before. The same rows make the same bytes, whenever and by whomever they are written.
 */
export interface ArchiveHeader {
  /** What kind of rows: `ledger`. */
  history: string;
  table: string;
  tenant_id: string;
  /** Numbers of the first and the last row. */
  from: number;
  through: number;
  head_before: string;
  previous_sha256: string | null;
}

export interface ArchiveFile extends ArchiveHeader {
  rows: string[];
}

export const FIRST_HEAD = '0'.repeat(64);
const FORMAT = { archive: 'constancia', version: 1 };

export interface WrittenArchive {
  bytes: Buffer;
  sha256: string;
  head_after: string;
}

/** Why a file is not what was archived. */
export type ArchiveFault = 'missing' | 'altered' | 'signature' | 'header' | 'chain' | 'end';

/** The file is not the one that was recorded. */
export class ArchiveDamaged extends Error {
  constructor(readonly fault: ArchiveFault) {
    super(`the archived file is not what was written: ${fault}`);
    this.name = 'ArchiveDamaged';
  }
}

export const sha256Of = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

const headAfter = (rows: readonly string[], before: string): string =>
  rows.reduce((head, line) => sha256Of(head + line), before);

const headerLine = (header: ArchiveHeader): string => {
  const { history, table, tenant_id, from, through, head_before, previous_sha256 } = header;
  return canonicalJson({ ...FORMAT, history, table, tenant_id, from, through, head_before, previous_sha256 });
};
const endLine = (rows: readonly string[], head: string): string => canonicalJson({ rows: rows.length, head });

export function writeArchive(file: ArchiveFile): WrittenArchive {
  const { rows } = file;
  const head_after = headAfter(rows, file.head_before);
  const lines = [headerLine(file), ...rows, endLine(rows, head_after)];
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return { bytes, sha256: sha256Of(bytes), head_after };
}

/** The rows of a file. Throws ArchiveDamaged unless it has this header and its chain leads to this head. */
export function readArchive(bytes: Buffer, header: ArchiveHeader, head_after: string): string[] {
  const [first, ...lines] = bytes.toString('utf8').split('\n');
  const [end, empty] = lines.splice(-2);
  if (first !== headerLine(header)) throw new ArchiveDamaged('header');
  if (headAfter(lines, header.head_before) !== head_after) throw new ArchiveDamaged('chain');
  if (empty !== '' || end !== endLine(lines, head_after)) throw new ArchiveDamaged('end');
  return lines;
}
