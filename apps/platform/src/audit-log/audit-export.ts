import type { AuditEntryRow } from './audit-entry.entity.ts';

export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

/** An entry as it is hashed (libs/persistence, ChainedTable): what a line of the NDJSON file holds. */
export function hashedEntry(row: AuditEntryRow) {
  return {
    seq: row.seq,
    type: row.type,
    at: row.at.toISOString(),
    module: row.module,
    actor_kind: row.actor_kind,
    actor_id: row.actor_id,
    actor_name: row.actor_name,
    on_behalf_of: row.on_behalf_of,
    object_kind: row.object_kind,
    object_id: row.object_id,
    origin: row.origin,
    data: JSON.parse(row.data) as unknown,
    prev_hash: row.prev_hash,
    hash: row.hash,
  };
}

const COLUMNS = ['seq', 'type', 'at', 'module', 'actor_kind', 'actor_id', 'actor_name', 'on_behalf_of', 'object_kind', 'object_id', 'origin', 'data', 'prev_hash', 'hash'] as const satisfies (keyof AuditEntryRow)[]; // prettier-ignore

/** A cell that a spreadsheet would run as a formula. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\u2212]/u;

/** The file of an export, in pieces: a page of entries each. */
export async function* exportText(type: ExportType, pages: AsyncIterable<AuditEntryRow[]>): AsyncGenerator<string> {
  if (type === 'text/csv') yield `${COLUMNS.join(',')}\r\n`;
  const line = type === 'text/csv' ? csvLine : (row: AuditEntryRow) => `${JSON.stringify(hashedEntry(row))}\n`;
  for await (const rows of pages) yield rows.map(line).join('');
}

/** RFC 4180. */
function csvLine(row: AuditEntryRow): string {
  const cells = COLUMNS.map((column) => {
    const value = row[column];
    return cell(value instanceof Date ? value.toISOString() : String(value ?? ''));
  });
  return `${cells.join(',')}\r\n`;
}

function cell(text: string): string {
  const shown = FORMULA.test(text.normalize('NFKC')) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
