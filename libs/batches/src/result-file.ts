import { Readable } from 'node:stream';
import { shape } from '@constancia/contracts';
import { ApiOptional, preferredType } from '@constancia/http';
import { StreamableFile } from '@nestjs/common';
import { IsIn } from 'class-validator';
import type { BatchType } from './batch-file.ts';
import { csvCell } from './csv-cell.ts';

const TYPE_OF = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof TYPE_OF;

/** Of results; the first one for clients that accept both. */
export const RESULT_TYPES = [TYPE_OF.ndjson, TYPE_OF.csv] as const;
export const RESULT_FILE = { schema: { type: 'string' as const, ...shape.text(Number.MAX_SAFE_INTEGER) } };

export class BatchResultsQuery {
  @ApiOptional({ description: 'Left out: as the Accept header wants it, else NDJSON.' })
  @IsIn(Object.keys(TYPE_OF))
  format?: Format;
}

/** Columns of a CSV of results. */
export type ResultColumns<Result> = readonly (readonly [name: string, of: (result: Result) => string | null])[];

export interface ResultFile<Result> {
  /** Without its ending. */
  name: string;
  format: Format | undefined;
  accept: string | undefined;
  columns: ResultColumns<Result>;
}

/** Results as the file that was asked for, a page at a time. */
export function resultFile<Result>(
  pages: AsyncIterable<Result[]>,
  { name, format, accept, columns }: ResultFile<Result>,
): StreamableFile {
  const type: BatchType = format === undefined ? preferredType(accept, RESULT_TYPES) : TYPE_OF[format];
  return new StreamableFile(Readable.from(resultsText(type, pages, columns)), {
    type: `${type}; charset=utf-8`,
    disposition: `attachment; filename="${name}.${type === 'text/csv' ? 'csv' : 'ndjson'}"`,
  });
}

async function* resultsText<Result>(
  type: BatchType,
  pages: AsyncIterable<Result[]>,
  columns: ResultColumns<Result>,
): AsyncGenerator<string> {
  const cells = (result: Result) => columns.map(([, of]) => csvCell(of(result), { excel: false }));
  if (type === 'text/csv') yield `${columns.map(([name]) => name).join(',')}\r\n`;
  const line =
    type === 'text/csv'
      ? (result: Result) => `${cells(result).join(',')}\r\n`
      : (result: Result) => `${JSON.stringify(result)}\n`;
  for await (const results of pages) yield results.map(line).join('');
}
