import { CSV_RUNS, csvCell, type CsvForm, csvSeparator } from '@constancia/batches';
import type { CaseSecrets } from '../case-records/case-secrets.ts';

const instant = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** `sealed`: where the cell is found once the case is opened; what stands in the column is of cases that are in the clear. */
interface Column {
  name: string;
  sql: string;
  kind: 'text' | 'plain';
  sealed?: (secrets: CaseSecrets) => string | null | undefined;
}

/** The columns, in order, and what stands in them. Only `text` is written by people: it is guarded, and quoted where it must be. */
const COLUMNS: readonly Column[] = [
  { name: 'case_id', sql: `compliance.type_id('cas', id)`, kind: 'plain' },
  { name: 'opened_at', sql: instant('opened_at'), kind: 'plain' },
  { name: 'resolved_at', sql: instant('resolved_at'), kind: 'plain' },
  { name: 'status', sql: 'status', kind: 'plain' },
  { name: 'priority', sql: 'priority', kind: 'plain' },
  { name: 'subject_type', sql: 'subject_type', kind: 'plain' },
  { name: 'subject_ref', sql: 'subject_ref', kind: 'text' },
  { name: 'full_name', sql: `subject ->> 'full_name'`, kind: 'text', sealed: (of) => of.subject.full_name },
  { name: 'document_type', sql: `subject ->> 'document_type'`, kind: 'text', sealed: (of) => of.subject.document_type },
  {
    name: 'document_number',
    sql: `subject ->> 'document_number'`,
    kind: 'text',
    sealed: (of) => of.subject.document_number,
  },
  { name: 'country_code', sql: `subject ->> 'country_code'`, kind: 'text', sealed: (of) => of.subject.country_code },
  { name: 'validation_code', sql: 'validation_code', kind: 'text' },
  { name: 'validation_version', sql: 'validation_version::text', kind: 'plain' },
  { name: 'screening_id', sql: `compliance.type_id('scr', screening_id)`, kind: 'plain' },
  { name: 'screening_decision', sql: 'screening_decision', kind: 'plain' },
  { name: 'screening_score', sql: 'screening_score::text', kind: 'plain' },
  { name: 'rules_fired', sql: `array_to_string(rules_fired, '|')`, kind: 'text' },
  { name: 'list_hits', sql: `array_to_string(list_hits, '|')`, kind: 'text' },
  {
    name: 'list_versions',
    sql: `(select string_agg(key || '=' || value, '|' order by key) from jsonb_each_text(list_versions))`,
    kind: 'text',
  },
  { name: 'final_decision', sql: 'decision', kind: 'plain' },
  { name: 'decision_reason', sql: 'decision_reason', kind: 'text', sealed: (of) => of.decision_reason },
  { name: 'assignee', sql: 'assignee', kind: 'text' },
  { name: 'escalated_at', sql: instant('escalated_at'), kind: 'plain' },
  { name: 'escalation_reason', sql: 'escalation_reason', kind: 'text', sealed: (of) => of.escalation_reason },
  { name: 'reopened_count', sql: 'reopened_count::text', kind: 'plain' },
  { name: 'four_eyes_approver', sql: 'four_eyes_approver', kind: 'text' },
  { name: 'ros_reference', sql: 'ros_reference', kind: 'text' },
  { name: 'timeline_head_hash', sql: 'head_hash', kind: 'plain' },
];

export const CSV_COLUMNS: readonly string[] = COLUMNS.map(({ name }) => name);

/** The first line. For a spreadsheet, with a byte order mark, and the zone of each moment in its column's name: people read it. */
export function csvHeader(form: CsvForm, columns: readonly string[] = CSV_COLUMNS): string {
  const names = form.excel ? columns.map((name) => (name.endsWith('_at') ? `${name} (UTC)` : name)) : columns;
  return `${form.excel ? '\ufeff' : ''}${names.join(csvSeparator(form))}\r\n`;
}

/** A line without its end; every cell is guarded and quoted. */
export function csvLine(cells: readonly (string | null)[], form: CsvForm): string {
  return cells.map((text) => csvCell(text, form)).join(csvSeparator(form));
}

/** SQL of one cell: null is empty; a text is guarded, then quoted when it holds a separator, a quote or a line end. */
export function cellSql(text: string, form: CsvForm): string {
  return `coalesce(compliance.csv_cell(${text}, '${CSV_RUNS}', '["\\r\\n${csvSeparator(form)}]'), '')`;
}

/** SQL of a case's line, without its end, for cases that are in the clear. */
export function lineSql(form: CsvForm): string {
  return COLUMNS.map((column) => cellOf(column, form)).join(`||'${csvSeparator(form)}'||`);
}

const cellOf = ({ sql, kind }: Column, form: CsvForm): string =>
  kind === 'text' ? cellSql(sql, form) : `coalesce(${sql}, '')`;

/**
 * SQL of the parts of a sealed case's line, an array of texts: what stands before, between and behind the cells that are sealed, with its
 * separators. `lineOf` puts them together.
 */
export function partsSql(form: CsvForm): string {
  const separator = `'${csvSeparator(form)}'`;
  const parts: string[][] = [[]];
  COLUMNS.forEach((column, at) => {
    if (at > 0) parts.at(-1)?.push(separator);
    if (column.sealed) parts.push([]);
    else parts.at(-1)?.push(cellOf(column, form));
  });
  return `array[${parts.map((part) => (part.length === 0 ? `''` : part.join('||'))).join(', ')}]`;
}

const SEALED = COLUMNS.flatMap(({ sealed }) => sealed ?? []);

/** The line of a sealed case, of the parts that partsSql selects. */
export function lineOf(parts: readonly string[], secrets: CaseSecrets, form: CsvForm): string {
  return parts.map((part, at) => part + csvCell(SEALED[at]?.(secrets), form)).join('');
}
