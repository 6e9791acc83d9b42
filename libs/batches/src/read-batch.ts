import type { FieldError } from '@constancia/problem-json';
import type { BatchFile } from './batch-file.ts';
import { BATCH_ERRORS, type BatchLimits } from './batch-limits.ts';

export interface RowError extends FieldError {
  /** From 1; 0: the header. */
  row: number;
  line: number;
}

/** What a file was found to be. */
export interface ReadBatch {
  rows: number;
  /** Of wrong rows, at most BATCH_ERRORS. */
  errors: RowError[];
  /** Of right rows, at most BATCH_ERRORS. */
  warnings: RowError[];
  sha256: string | undefined;
}

/** A row that is right by itself. */
export interface RightRow<Subject> {
  row: number;
  line: number;
  subject: Subject;
}

/** Takes the rows of a chunk; answers what is wrong with them all the same. */
export type OnChunk<Subject> = (rows: readonly RightRow<Subject>[]) => Promise<RowError[]>;

/** Reads until the end, or until there are errors enough. Chunks are handed on while every row was right. `rowEnds` lets requests be served between rows, of a file that arrived whole, too. */
export async function readBatch<Subject>(
  file: BatchFile<Subject>,
  limits: BatchLimits,
  { onChunk, rowEnds }: { onChunk: OnChunk<Subject>; rowEnds: () => Promise<void> },
): Promise<ReadBatch> {
  const errors: RowError[] = [];
  const warnings: RowError[] = [];
  let [rows, size, chunk]: [number, number, RightRow<Subject>[]] = [0, 0, []];
  const flush = async (): Promise<void> => {
    if (chunk.length > 0) errors.push(...(await onChunk(chunk)));
    [chunk, size] = [[], 0];
  };
  for await (const { row, line, ...read } of file.rows()) {
    if ('errors' in read) errors.push(...read.errors.map((error) => ({ ...error, row, line })));
    else if (warnings.length < BATCH_ERRORS)
      warnings.push(...(read.warnings ?? []).map((warning) => ({ ...warning, row, line })));
    if ('subject' in read && errors.length === 0) {
      const characters = JSON.stringify(read.subject).length;
      if (chunk.length === limits.chunk.rows || size + characters > limits.chunk.characters) await flush();
      chunk.push({ row, line, subject: read.subject });
      size += characters;
    }
    rows = row;
    if (rows > limits.rows) errors.push({ ...tooMany(row, limits.rows), row, line });
    if (errors.length >= BATCH_ERRORS || rows > limits.rows) break;
    await rowEnds();
  }
  if (errors.length === 0 && rows === 0) errors.push({ ...NO_ROWS, row: 0, line: 1 });
  if (errors.length === 0) await flush();
  return {
    rows,
    errors: errors.slice(0, BATCH_ERRORS),
    warnings: warnings.slice(0, BATCH_ERRORS),
    sha256: file.sha256,
  };
}

const NO_ROWS = { pointer: '', code: 'required', detail: 'The file has no rows: send at least one.' };

function tooMany(row: number, most: number): FieldError {
  return { pointer: `/rows/${row}`, code: 'too_many', detail: `A batch has at most ${most} rows.` };
}
