import { pointerTo } from '@constancia/http';
import type { FieldError } from '@constancia/problem-json';
import { CODE } from '../code.ts';
import { ONE_LINE } from '../one-line.ts';

export const NAME_LIMIT = 200;

/** What the query of an upload says, or everything that is wrong with it. */
export interface ParsedUploadQuery {
  code: string;
  name: string;
  errors: FieldError[];
}

/** Reads `code` (required) and `name` (defaults to the code). An empty value counts as left out. */
export function parseUploadQuery(query: Record<string, unknown>): ParsedUploadQuery {
  const code = query.code === '' ? undefined : query.code;
  const name = query.name === undefined || query.name === '' ? code : query.name;
  const errors: FieldError[] = Object.keys(query)
    .filter((member) => member !== 'code' && member !== 'name')
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
  if (name !== code && !isName(name)) {
    const detail = `name must be one line of 1 to ${NAME_LIMIT} characters.`;
    errors.push({ pointer: '/query/name', code: 'wrong_format', detail });
  }
  return { code: String(code), name: String(name), errors };
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && ONE_LINE.test(name) && [...name].length <= NAME_LIMIT;
}
