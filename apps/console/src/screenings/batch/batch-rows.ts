import { isDay } from '@constancia/kernel/calendar';
import { isDocumentType } from '@constancia/reference-data/document-types';
import type { components } from '@constancia/sdk/generated/compliance';
import { type CsvFault, readCsv } from '../../parts/csv-file.ts';

type Schemas = components['schemas'];
type Body = Schemas['ScreeningBody'];

/** Columns of the file, by the names that the API has for them. Only subject_ref must be there. */
export const BATCH_COLUMNS = [
  'subject_ref',
  'subject_type',
  'full_name',
  'birth_date',
  'document_type',
  'document_number',
  'country_code',
  'amount',
  'currency',
] as const;
type Column = (typeof BATCH_COLUMNS)[number];

/** A page runs it row by row while it is open: more is for the API. */
export const MOST_ROWS = 500;

export type BatchFault =
  | 'not_utf8'
  | CsvFault['fault']
  | 'unknown_column'
  | 'no_reference_column'
  | 'empty'
  | 'too_many_rows'
  | 'cells'
  | 'subject_ref'
  | 'subject_type'
  | 'birth_date'
  | 'document_type'
  | 'country_code'
  | 'amount'
  | 'currency';

/** What is wrong, and on which line. `what`: the value or the column that is. */
export interface LineFault {
  line: number;
  fault: BatchFault;
  what: string;
}

export interface BatchRow {
  line: number;
  body: Body;
}

/** What was read: only a file without faults is screened. */
interface ReadBatch {
  rows: BatchRow[];
  faults: LineFault[];
}

/**
 * The subjects of a file or of lines that were pasted; null: the file is not UTF-8. In another encoding a name would be another one, and
 * would match no list.
 */
export function batchRows(text: string | null, validation_code: string): ReadBatch {
  if (text === null) return { rows: [], faults: [{ line: 1, fault: 'not_utf8', what: '' }] };
  const table = readCsv(text);
  if (table.faults.length > 0) return { rows: [], faults: table.faults.map((fault) => ({ ...fault, what: '' })) };
  const [header, ...lines] = table.rows;
  const columns = header?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const unknown = columns.filter((column) => !(BATCH_COLUMNS as readonly string[]).includes(column));
  const faults: LineFault[] = unknown.map((what) => ({ line: 1, fault: 'unknown_column', what }));
  if (!columns.includes('subject_ref')) faults.push({ line: 1, fault: 'no_reference_column', what: 'subject_ref' });
  if (faults.length === 0 && lines.length === 0) faults.push({ line: 1, fault: 'empty', what: '' });
  if (lines.length > MOST_ROWS)
    faults.push({ line: MOST_ROWS + 2, fault: 'too_many_rows', what: String(lines.length) });
  if (faults.length > 0) return { rows: [], faults };

  const rows = lines.map(({ line, cells }): BatchRow => {
    if (cells.length !== columns.length) faults.push({ line, fault: 'cells', what: String(cells.length) });
    const row = Object.fromEntries(columns.map((column, nth) => [column, cells[nth] ?? ''])) as Record<Column, string>;
    for (const [column, isRight] of Object.entries(CHECKS) as [keyof typeof CHECKS, (cell: string) => boolean][]) {
      const cell = row[column] ?? '';
      if (!isRight(cell)) faults.push({ line, fault: column, what: cell });
    }
    return { line, body: bodyOf(row, validation_code) };
  });
  return { rows, faults };
}

const optional =
  (isRight: (cell: string) => boolean) =>
  (cell: string): boolean =>
    cell === '' || isRight(cell);

/** With a dot for cents; 1.200 is as likely a thousand two hundred. */
const AMOUNT = /^\d+(\.\d{1,2})?$/;

const CHECKS = {
  subject_ref: (cell: string) => cell !== '' && cell.length <= 200,
  subject_type: optional((cell) => cell === 'natural' || cell === 'legal'),
  birth_date: optional(isDay),
  document_type: optional(isDocumentType),
  country_code: optional((cell) => /^[A-Za-z]{2}$/.test(cell)),
  amount: optional((cell) => AMOUNT.test(cell) && Number(cell) <= Number.MAX_SAFE_INTEGER),
  currency: optional((cell) => /^[A-Za-z]{3}$/.test(cell)),
} as const;

function bodyOf({ subject_ref, subject_type, ...row }: Record<Column, string>, validation_code: string): Body {
  const given = Object.entries(row).filter(([, cell]) => cell !== '');
  const payload = Object.fromEntries(given.map(([name, cell]) => [name, name === 'amount' ? Number(cell) : cell]));
  return {
    validation_code,
    subject_ref,
    subject_type: (subject_type || 'natural') as Schemas['SubjectType'],
    payload: payload as Body['payload'],
  };
}
