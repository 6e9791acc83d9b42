import { typeId } from '@constancia/kernel';
import { stringify } from 'csv-stringify/sync';

/** A case as the export reads it. Texts are as the store has them; instants are texts already. */
export interface ExportedCase {
  id: string;
  opened_at: string;
  resolved_at: string | null;
  status: string;
  priority: string;
  subject_type: string;
  subject_ref: string;
  full_name: string | null;
  document_type: string | null;
  document_number: string | null;
  country_code: string | null;
  validation_code: string;
  validation_version: number;
  screening_id: string;
  screening_decision: string;
  screening_score: number;
  rules_fired: string;
  list_hits: string;
  list_versions: string;
  final_decision: string | null;
  decision_reason: string | null;
  assignee: string | null;
  escalated_at: string | null;
  escalation_reason: string | null;
  reopened_count: number;
  four_eyes_approver: string | null;
  ros_reference: string | null;
  timeline_head_hash: string;
}

type Cell = string | number | null;

/** The columns, in order, and what stands in them. Numbers are written as numbers, all else is a guarded text. */
const COLUMNS: readonly [name: string, cell: (row: ExportedCase) => Cell][] = [
  ['case_id', (row) => typeId('cas', row.id)],
  ['opened_at', (row) => row.opened_at],
  ['resolved_at', (row) => row.resolved_at],
  ['status', (row) => row.status],
  ['priority', (row) => row.priority],
  ['subject_type', (row) => row.subject_type],
  ['subject_ref', (row) => row.subject_ref],
  ['full_name', (row) => row.full_name],
  ['document_type', (row) => row.document_type],
  ['document_number', (row) => row.document_number],
  ['country_code', (row) => row.country_code],
  ['validation_code', (row) => row.validation_code],
  ['validation_version', (row) => row.validation_version],
  ['screening_id', (row) => typeId('scr', row.screening_id)],
  ['screening_decision', (row) => row.screening_decision],
  ['screening_score', (row) => row.screening_score],
  ['rules_fired', (row) => row.rules_fired],
  ['list_hits', (row) => row.list_hits],
  ['list_versions', (row) => row.list_versions],
  ['final_decision', (row) => row.final_decision],
  ['decision_reason', (row) => row.decision_reason],
  ['assignee', (row) => row.assignee],
  ['escalated_at', (row) => row.escalated_at],
  ['escalation_reason', (row) => row.escalation_reason],
  ['reopened_count', (row) => row.reopened_count],
  ['four_eyes_approver', (row) => row.four_eyes_approver],
  ['ros_reference', (row) => row.ros_reference],
  ['timeline_head_hash', (row) => row.timeline_head_hash],
];

export const CSV_COLUMNS: readonly string[] = COLUMNS.map(([name]) => name);

/** How a file is written: as RFC 4180 says, or as Excel in Spanish opens it by a double click. */
export interface CsvForm {
  excel: boolean;
}

/** The first line, with the byte order mark where it is wanted. */
export function csvHeader(form: CsvForm): string {
  return (form.excel ? '\ufeff' : '') + lines([[...CSV_COLUMNS]], form);
}

/** Cases as lines. */
export function csvLines(rows: readonly ExportedCase[], form: CsvForm): string {
  return lines(
    rows.map((row) => COLUMNS.map(([, cell]) => guarded(cell(row)))),
    form,
  );
}

function lines(records: Cell[][], { excel }: CsvForm): string {
  return stringify(records, {
    delimiter: excel ? ';' : ',',
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/, // the library looks for its own CRLF only
  });
}

/** Most cells begin with one of these, and are no formulas. */
const HARMLESS = /^[\p{L}\p{N}]/u;
const LEADING = /^[\s\p{Cf}]+/u;
/** What makes a formula of a cell, in its plain form; U+2212 is a minus to some. */
const FORMULA = new Set(['=', '+', '-', '@', '\u2212']);

/** A text that a spreadsheet would run as a formula gets an apostrophe before it. Numbers are what they are. */
export function guarded(cell: Cell): Cell {
  if (typeof cell !== 'string' || cell === '' || HARMLESS.test(cell)) return cell;
  const lead = LEADING.exec(cell)?.[0] ?? '';
  const first = [...cell.slice(lead.length, lead.length + 2)][0] ?? '';
  const runs = /[\t\r\n]/.test(lead) || FORMULA.has(first.normalize('NFKC').charAt(0));
  return runs ? `'${cell}` : cell;
}
