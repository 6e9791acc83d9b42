import { EXTERNAL_REF_LENGTH, metadataInQuery, pointerTo } from '@constancia/http';
import type { FieldError } from '@constancia/problem-json';
import { CODE } from '../code.ts';
import { ONE_LINE } from '../one-line.ts';

export const NAME_LIMIT = 200;

/** What the query of an upload says, or everything that is wrong with it. */
export interface ParsedUploadQuery {
  code: string;
  name: string;
  externalRef: string | null;
  metadata: Record<string, string>;
  errors: FieldError[];
}

const MEMBERS = new Set(['code', 'name', 'external_ref', 'metadata']);

/** Reads `code` (required), `name` (defaults to the code), `external_ref` and `metadata` (JSON). An empty value counts as left out. */
export function parseUploadQuery(query: Record<string, unknown>): ParsedUploadQuery {
  const code = query.code === '' ? undefined : query.code;
  const name = query.name === undefined || query.name === '' ? code : query.name;
  const errors: FieldError[] = Object.keys(query)
    .filter((member) => !MEMBERS.has(member))
    .map((member) => ({
      pointer: pointerTo('/query', member),
      code: 'unknown_member',
      detail: 'There is no such parameter.',
    }));
  if (code === undefined) {
    errors.push({ pointer: '/query/code', code: 'required', detail: 'Name the template: ?code=loan-agreement.' });
  } else if (typeof code !== 'string' || !CODE.test(code)) {
    errors.push({ pointer: '/query/code', code: 'wrong_format', detail: `code must match ${CODE.source}.` });
  }
  if (name !== code && !isLine(name, NAME_LIMIT)) {
    const detail = `name must be one line of 1 to ${NAME_LIMIT} characters.`;
    errors.push({ pointer: '/query/name', code: 'wrong_format', detail });
  }
  const given = (value: unknown): unknown => (value === '' ? undefined : value);
  const reference = given(query.external_ref);
  if (reference !== undefined && !isLine(reference, EXTERNAL_REF_LENGTH)) {
    const detail = `external_ref must be one line of 1 to ${EXTERNAL_REF_LENGTH} characters.`;
    errors.push({ pointer: '/query/external_ref', code: 'wrong_format', detail });
  }
  const metadata = metadataInQuery(query.metadata, errors);
  return {
    ...{ code: String(code), name: String(name), errors },
    externalRef: reference === undefined ? null : String(reference),
    metadata,
  };
}

function isLine(text: unknown, most: number): boolean {
  return typeof text === 'string' && ONE_LINE.test(text) && [...text].length <= most;
}
