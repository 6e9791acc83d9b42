import { isUtf8 } from 'node:buffer';
import { BadRequest } from '@constancia/problem-json';
import { FORBIDDEN_NAMES } from '../validation/names.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
/** What a form may have. */
export const FORM_BYTES = 16_384;
const MAX_FIELDS = 40;

/** The fields of a form. Throws BadRequest for one that names a field twice (RFC 6749, section 3.2), or has what PostgreSQL cannot store. */
export function parseFormBody(bytes: Buffer): Record<string, string> {
  if (!isUtf8(bytes)) throw new BadRequest('The form is not UTF-8.');
  const fields = [...new URLSearchParams(bytes.toString('utf8'))];
  if (fields.length > MAX_FIELDS) throw new BadRequest(`The form has more than ${MAX_FIELDS} fields.`);
  const form = new Map<string, string>();
  for (const [name, value] of fields) {
    if (FORBIDDEN_NAMES.has(name)) throw new BadRequest('The form has a field that no form may have.');
    if (form.has(name)) throw new BadRequest('The form has a field twice.');
    if (value.includes('\0') || !value.isWellFormed())
      throw new BadRequest('The form has a character that is not allowed.');
    form.set(name, value);
  }
  return Object.fromEntries(form);
}
