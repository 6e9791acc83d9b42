import type { ListImport } from '../lists/list-imports.ts';
import type { Refusal } from '../lists/list-refused.ts';

export const MAX_BYTES = 5 * 1024 * 1024;
const FILE_NAME = 'internal.csv';

/** A file as the import of the tenant's own list. */
export function internalImport(tenantId: string, operator: string, bytes: Buffer): ListImport {
  return {
    list: 'INTERNAL',
    tenantId,
    files: [{ name: FILE_NAME, bytes }],
    format: 'plain-csv',
    operator,
    force: true, // a tenant's list may become as small as the tenant likes
    mayBeEmpty: true,
  };
}

/** What is wrong, with its line. */
export function sentenceOf({ detail, line }: Refusal): string {
  return line === undefined ? detail : `Line ${line}: ${detail}`;
}

const NONE = '"none"';

/** Names the version of the tenant's list; null: there is none. */
export const etagOf = (version: string | null): string => (version === null ? NONE : `"${version}"`);
