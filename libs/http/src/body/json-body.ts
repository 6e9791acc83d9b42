import { isUtf8 } from 'node:buffer';
import { BadRequest, ValidationError, type FieldError } from '@constancia/problem-json';
import { FORBIDDEN_NAMES, unknownMember } from '../validation/names.ts';
import { pointerTo } from '../validation/pointer.ts';

/** Bounds of a JSON body (bytes: unless JsonBodyLimit says otherwise); one beyond them is refused before it is parsed. */
export const JSON_LIMITS = { bytes: 1024 * 1024, depth: 32, values: 20_000 };

const HAZARDS = /\\u|__proto__|"constructor"|"prototype"/;

/**
 * Parses a JSON body: UTF-8 only, bounded in depth and number of values, without member names that JavaScript gives a meaning of
 * its own, and without NUL or half surrogate pairs, which Postgres cannot store. Empty gives undefined.
 */
export function parseJsonBody(bytes: Buffer, mostValues = JSON_LIMITS.values): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new BadRequest('The body is not UTF-8: encode the JSON as UTF-8.');
  refuseBeyondLimits(bytes, mostValues);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const where = position === undefined ? '' : ` (near character ${position})`;
    throw new BadRequest(`The body is not valid JSON${where}.`);
  }
  if (HAZARDS.test(text)) refuseHazards(value);
  return value;
}

/** One pass over the bytes, before JSON.parse: deep nesting costs no more than other text of that length. */
function refuseBeyondLimits(bytes: Buffer, mostValues: number): void {
  let depth = 0;
  let separators = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
      continue;
    }
    if (byte === 0x22) inString = true;
    else if (byte === 0x2c) separators++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > JSON_LIMITS.depth) {
        throw new BadRequest(`The body is nested deeper than ${JSON_LIMITS.depth} levels: flatten it.`);
      }
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  if (separators >= mostValues) {
    throw new BadRequest(`The body holds more than ${mostValues} values: send fewer.`);
  }
}

function refuseHazards(value: unknown): void {
  const errors: FieldError[] = [];
  const walk = (node: unknown, pointer: string): void => {
    if (typeof node === 'string') {
      if (!isStorable(node)) errors.push({ pointer, code: 'invalid_characters', detail: UNSTORABLE });
    } else if (Array.isArray(node)) {
      node.forEach((item, index) => walk(item, `${pointer}/${index}`));
    } else if (node !== null && typeof node === 'object') {
      for (const name of Object.keys(node)) {
        const below = pointerTo(pointer, name);
        if (FORBIDDEN_NAMES.has(name)) {
          errors.push(unknownMember(below));
        } else {
          if (!isStorable(name)) errors.push({ pointer: below, code: 'invalid_characters', detail: UNSTORABLE });
          walk((node as Record<string, unknown>)[name], below);
        }
      }
    }
  };
  walk(value, '');
  if (errors.length > 0) throw new ValidationError(errors);
}

const UNSTORABLE = 'Remove NUL characters and unpaired surrogates (\\u0000, \\ud800 to \\udfff).';

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
