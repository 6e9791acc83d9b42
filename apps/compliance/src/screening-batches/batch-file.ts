import { Readable } from 'node:stream';
import { bodyTooLarge } from '@constancia/http';
import { csvRows, type ListFile, ListFileProblem, type ListFileProblemCode, Reading } from '@constancia/name-screening';
import type { FieldError } from '@constancia/problem-json';
import { bogotaDay } from '@constancia/kernel';
import { BATCH_LIMITS } from './batch-limits.ts';
import { BATCH_COLUMNS, type BatchSubject, checkedRow, parsedLine, subjectOfCells } from './batch-rows.ts';

export const BATCH_TYPES = ['text/csv', 'application/x-ndjson'] as const;
export type BatchType = (typeof BATCH_TYPES)[number];

/** A row of a file: `row` counts from 1, `line` is where it begins. */
export type FileRow = { row: number; line: number } & ({ subject: BatchSubject } | { errors: FieldError[] });

const LIMITS = { maxFileBytes: BATCH_LIMITS.bytes, maxRecordCharacters: BATCH_LIMITS.rowBytes, maxDepth: 1 };

/** The rows of a CSV or NDJSON file while it arrives, each with what is wrong with it. What makes the rest unreadable is its last row. */
export class BatchFile {
  private readonly reading = new Reading([], LIMITS, false);
  private readonly today = bogotaDay(Date.now());
  private row = 0;

  constructor(
    private readonly type: BatchType,
    private readonly body: Readable,
  ) {}

  /** Hexadecimal, of the bytes; once all rows were read. */
  get sha256(): string | undefined {
    return this.reading.read[0]?.sha256;
  }

  /** Throws PayloadTooLarge. */
  async *rows(): AsyncGenerator<FileRow> {
    try {
      yield* this.type === 'text/csv' ? this.csvRows() : this.lines();
    } catch (error) {
      if (!(error instanceof ListFileProblem)) throw error;
      yield this.unreadable(error);
    }
  }

  private async *csvRows(): AsyncGenerator<FileRow> {
    const chunks = countedBytes(this.body);
    const head = await headOf(chunks);
    const delimiter = delimiterOf(head);
    const file = fileOf(async function* () {
      if (head.length > 0) yield head;
      yield* chunks;
    });
    let columns: string[] | undefined;
    for await (const { cells, line } of csvRows(this.reading, file, { delimiter })) {
      if (columns === undefined) {
        columns = cells.map((cell) => cell.trim().toLowerCase());
        const errors = headerErrors(columns);
        if (errors.length > 0) return yield { row: 0, line, errors };
        continue;
      }
      this.row += 1;
      yield { ...this.place(line), ...checkedRow(subjectOfCells(columns, cells), this.pointer, this.today) };
    }
  }

  private async *lines(): AsyncGenerator<FileRow> {
    const file = fileOf(() => countedBytes(this.body));
    let line = 0;
    for await (const text of linesOf(this.reading.text(file))) {
      line += 1;
      if (text.trim() === '') continue;
      this.row += 1;
      const parsed = parsedLine(text, this.pointer);
      yield {
        ...this.place(line),
        ...('value' in parsed ? checkedRow(parsed.value, this.pointer, this.today) : parsed),
      };
    }
  }

  private unreadable({ code, line = this.row + 1 }: ListFileProblem): FileRow {
    const detail = SENTENCES[code];
    // What was decoded with it was not looked at: the row is not known.
    if (code === 'wrong_encoding')
      return { row: 0, line, errors: [{ pointer: '', code, detail: `Line ${line}: ${detail}` }] };
    this.row += 1;
    return { ...this.place(line), errors: [{ pointer: this.pointer, code, detail }] };
  }

  private get pointer(): string {
    return `/rows/${this.row}`;
  }

  private place(line: number): { row: number; line: number } {
    return { row: this.row, line };
  }
}

const NOT_A_FILE = 'This is no CSV or NDJSON file.';
const SENTENCES: Record<ListFileProblemCode, string> = {
  empty: 'The file is empty: send at least one row.',
  truncated: 'The file ends in the middle of a row, or a quote is not closed.',
  wrong_format: 'The row has not as many cells as the header.',
  wrong_encoding: 'The file is not UTF-8: save it as UTF-8.',
  malformed: 'The row is not CSV, or has not as many cells as the header: check its separators and quotes.',
  too_large: `A row has at most ${BATCH_LIMITS.rowBytes / 1024} KB: check its quotes.`,
  forbidden_xml: NOT_A_FILE,
  missing_file: NOT_A_FILE,
};

function fileOf(chunks: () => AsyncIterable<Buffer>): ListFile {
  return { name: 'batch', open: () => Readable.from(chunks()) };
}

/** The stream stays open when the reader stops: the answer goes out on the same connection. */
async function* countedBytes(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BATCH_LIMITS.bytes) throw bodyTooLarge(BATCH_LIMITS.bytes);
    yield chunk;
  }
}

/** The beginning of a file, with its first line whole: it may arrive in pieces. */
async function headOf(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (!head.includes('\n') && head.length <= BATCH_LIMITS.rowBytes) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

function delimiterOf(head: Buffer): string {
  const [header = ''] = head.toString('latin1').split('\n', 1);
  return header.includes(';') && !header.includes(',') ? ';' : ',';
}

function headerErrors(columns: readonly string[]): FieldError[] {
  const known = BATCH_COLUMNS.join(', ');
  const errors = columns
    .filter((column, nth) => !(BATCH_COLUMNS as readonly string[]).includes(column) || columns.indexOf(column) !== nth)
    .map((column) => ({
      pointer: '/header',
      code: 'unknown_column',
      detail: `The column ${JSON.stringify(column.slice(0, 100))} is unknown or there twice. Known columns: ${known}.`,
    }));
  if (columns.includes('subject_ref')) return errors;
  return [...errors, { pointer: '/header', code: 'required', detail: 'Add the column subject_ref.' }];
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > BATCH_LIMITS.rowBytes) throw new ListFileProblem('too_large', SENTENCES.too_large);
  }
  if (rest !== '') yield rest;
}
