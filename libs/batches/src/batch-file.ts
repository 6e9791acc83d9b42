import { Readable } from 'node:stream';
import { bodyTooLarge, parseJsonBody } from '@constancia/http';
import { csvRows, type ListFile, ListFileProblem, type ListFileProblemCode, Reading } from '@constancia/name-screening';
import { BadRequest, type FieldError, ValidationError } from '@constancia/problem-json';
import type { BatchLimits } from './batch-limits.ts';

export const BATCH_TYPES = ['text/csv', 'application/x-ndjson'] as const;
export type BatchType = (typeof BATCH_TYPES)[number];

/** A row as it is stored until it is done, or everything that is wrong with it. */
export type CheckedRow<Subject> =
  | {
      subject: Subject;
      /** What cannot be right, but is no error. */
      warnings?: FieldError[];
    }
  | { errors: FieldError[] };

/** A row of a file: `row` counts from 1, `line` is where it begins. */
export type FileRow<Subject> = { row: number; line: number } & CheckedRow<Subject>;

/** What the rows of a kind of batch are. Pointers of errors begin with that of the row. */
export interface RowReader<Subject> {
  /** Of a cell of the header: the column that it names. */
  columnOf: (cell: string) => string;
  isKnown: (column: string) => boolean;
  /** For the sentence about one that is not. */
  knownColumns: readonly string[];
  requiredColumns: readonly string[];
  ofCells: (columns: readonly string[], cells: readonly string[], pointer: string) => CheckedRow<Subject>;
  /** Of a line of NDJSON. */
  ofValue: (value: unknown, pointer: string) => CheckedRow<Subject>;
}

/** The rows of a CSV or NDJSON file while it arrives, each with what is wrong with it. What makes the rest unreadable is its last row. */
export class BatchFile<Subject> {
  private readonly reading: Reading;
  private row = 0;

  constructor(
    private readonly type: BatchType,
    private readonly body: Readable,
    private readonly reader: RowReader<Subject>,
    private readonly limits: Pick<BatchLimits, 'bytes' | 'rowBytes'>,
  ) {
    const { bytes: maxFileBytes, rowBytes: maxRecordCharacters } = limits;
    this.reading = new Reading([], { maxFileBytes, maxRecordCharacters, maxDepth: 1 }, false);
  }

  /** Hexadecimal, of the bytes; once all rows were read. */
  get sha256(): string | undefined {
    return this.reading.read[0]?.sha256;
  }

  /** Throws PayloadTooLarge. */
  async *rows(): AsyncGenerator<FileRow<Subject>> {
    try {
      yield* this.type === 'text/csv' ? this.csvRows() : this.lines();
    } catch (error) {
      if (!(error instanceof ListFileProblem)) throw error;
      yield this.unreadable(error);
    }
  }

  private async *csvRows(): AsyncGenerator<FileRow<Subject>> {
    const chunks = countedBytes(this.body, this.limits.bytes);
    const head = await headOf(chunks, this.limits.rowBytes);
    const delimiter = delimiterOf(head);
    const file = fileOf(async function* () {
      if (head.length > 0) yield head;
      yield* chunks;
    });
    let columns: string[] | undefined;
    for await (const { cells, line } of csvRows(this.reading, file, { delimiter })) {
      if (columns === undefined) {
        columns = cells.map((cell) => this.reader.columnOf(cell.trim()));
        const errors = headerErrors(columns, this.reader);
        if (errors.length > 0) return yield { row: 0, line, errors };
        continue;
      }
      this.row += 1;
      yield { ...this.place(line), ...this.reader.ofCells(columns, cells, this.pointer) };
    }
  }

  private async *lines(): AsyncGenerator<FileRow<Subject>> {
    const file = fileOf(() => countedBytes(this.body, this.limits.bytes));
    let line = 0;
    for await (const text of linesOf(this.reading.text(file), this.limits.rowBytes)) {
      line += 1;
      if (text.trim() === '') continue;
      this.row += 1;
      const parsed = parsedLine(text, this.pointer);
      yield { ...this.place(line), ...('value' in parsed ? this.reader.ofValue(parsed.value, this.pointer) : parsed) };
    }
  }

  private unreadable({ code, line = this.row + 1 }: ListFileProblem): FileRow<Subject> {
    const detail = code === 'too_large' ? rowTooLarge(this.limits.rowBytes) : SENTENCES[code];
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
const SENTENCES: Record<Exclude<ListFileProblemCode, 'too_large'>, string> = {
  empty: 'The file is empty: send at least one row.',
  truncated: 'The file ends in the middle of a row, or a quote is not closed.',
  wrong_format: 'The row has not as many cells as the header.',
  wrong_encoding: 'The file is not UTF-8: save it as UTF-8.',
  malformed: 'The row is not CSV, or has not as many cells as the header: check its separators and quotes.',
  forbidden_xml: NOT_A_FILE,
  missing_file: NOT_A_FILE,
};

const rowTooLarge = (rowBytes: number): string => `A row has at most ${rowBytes / 1024} KB: check its quotes.`;

function fileOf(chunks: () => AsyncIterable<Buffer>): ListFile {
  return { name: 'batch', open: () => Readable.from(chunks()) };
}

/** The stream stays open when the reader stops: the answer goes out on the same connection. */
async function* countedBytes(body: Readable, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) throw bodyTooLarge(most);
    yield chunk;
  }
}

/** The beginning of a file, with its first line whole: it may arrive in pieces. */
async function headOf(chunks: AsyncGenerator<Buffer>, most: number): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (!head.includes('\n') && head.length <= most) {
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

function headerErrors(
  columns: readonly string[],
  { isKnown, knownColumns, requiredColumns }: RowReader<unknown>,
): FieldError[] {
  const known = knownColumns.join(', ');
  const wrong = columns
    .filter((column, nth) => !isKnown(column) || columns.indexOf(column) !== nth)
    .map((column) => ({
      pointer: '/header',
      code: 'unknown_column',
      detail: `The column ${JSON.stringify(column.slice(0, 100))} is unknown or there twice. Known columns: ${known}.`,
    }));
  const missing = requiredColumns
    .filter((column) => !columns.includes(column))
    .map((column) => ({ pointer: '/header', code: 'required', detail: `Add the column ${column}.` }));
  return [...wrong, ...missing];
}

async function* linesOf(pieces: AsyncIterable<string>, most: number): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > most) throw new ListFileProblem('too_large', rowTooLarge(most));
  }
  if (rest !== '') yield rest;
}

/** The row of a line of NDJSON, or what is wrong with it as JSON. */
function parsedLine(text: string, pointer: string): { value: unknown } | { errors: FieldError[] } {
  try {
    return { value: parseJsonBody(Buffer.from(text)) };
  } catch (error) {
    if (error instanceof ValidationError) return { errors: below(pointer, error.errors) };
    if (!(error instanceof BadRequest)) throw error;
    return { errors: [{ pointer, code: 'malformed', detail: 'Must be one JSON object on one line.' }] };
  }
}

/** Errors with a pointer before theirs. */
function below(pointer: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, pointer: `${pointer}${error.pointer}` }));
}
