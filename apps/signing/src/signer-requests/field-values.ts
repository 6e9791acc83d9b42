import { pointerTo } from '@constancia/http';
import { bogotaDay, isDay } from '@constancia/kernel';
import type { FieldError } from '@constancia/problem-json';
import type { CircuitField } from '../circuits/circuit.entity.ts';

export const VALUE_LIMITS = { characters: 2_000 } as const;

export type FieldValues = Record<string, string | boolean>;

/** What the service fills in where the signer left it out. */
export interface Known {
  /** What the signer is called; null when nobody has said. */
  name: string | null;
  at: Date;
}

type Read = { value: string | boolean | undefined } | Omit<FieldError, 'pointer'>;

const MISSING = { code: 'required', detail: 'Fill this field in.' };
const TOO_LONG = `A value has at most ${VALUE_LIMITS.characters} characters.`;
const UNTICKED = { code: 'required', detail: 'This box must be ticked.' };

/**
 * The values of a signer's own fields (signatures apart) out of what was sent, or all that is wrong with it. Another signer's key is as
 * unknown as any: the answer does not tell that it exists.
 */
export function fieldValues(
  own: readonly CircuitField[],
  sent: Record<string, unknown>,
  known: Known,
): { values: FieldValues; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const values: FieldValues = {};
  for (const key of Object.keys(sent)) {
    const field = own.find((candidate) => candidate.key === key);
    if (!field) errors.push({ pointer: pointerTo('/fields', key), code: 'unknown_member', detail: NO_FIELD });
    else if (field.type === 'signature') {
      errors.push({
        pointer: pointerTo('/fields', key),
        code: 'not_allowed',
        detail: 'Send the signature as `signature`.',
      });
    }
  }
  for (const field of own) {
    if (field.type === 'signature') continue;
    const read = valueOf(field, Object.hasOwn(sent, field.key) ? sent[field.key] : undefined, known);
    if ('code' in read) errors.push({ pointer: pointerTo('/fields', field.key), ...read });
    else if (read.value !== undefined) values[field.key] = read.value;
  }
  return { values, errors };
}

const NO_FIELD = 'The signer has no field with this key.';

function valueOf(field: CircuitField, sent: unknown, known: Known): Read {
  if (field.type === 'checkbox') return tickOf(field, sent);
  if (sent !== undefined && sent !== null && typeof sent !== 'string') {
    return { code: 'wrong_type', detail: 'Must be a text.' };
  }
  const text = (sent ?? '').normalize('NFC').trim();
  if (text === '') return leftOut(field, known);
  if ([...text].length > VALUE_LIMITS.characters) {
    return { code: 'too_long', detail: TOO_LONG };
  }
  if (field.type === 'date' && !isDay(text)) return { code: 'wrong_format', detail: 'Must be a day, as YYYY-MM-DD.' };
  return { value: text };
}

function tickOf(field: CircuitField, sent: unknown): Read {
  if (sent !== undefined && sent !== null && typeof sent !== 'boolean') {
    return { code: 'wrong_type', detail: 'Must be true or false.' };
  }
  if (field.required && sent !== true) return UNTICKED;
  return { value: sent ?? undefined };
}

function leftOut({ type, required }: CircuitField, { name, at }: Known): Read {
  if (type === 'date') return { value: bogotaDay(at) };
  if (type === 'name' && name !== null) return { value: name };
  return required ? MISSING : { value: undefined };
}

/** The same for a draft: shapes are checked, and nothing is required or filled in. */
export function draftValues(
  own: readonly CircuitField[],
  sent: Record<string, unknown>,
): { values: FieldValues; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const values: FieldValues = {};
  for (const [key, value] of Object.entries(sent)) {
    const field = own.find((candidate) => candidate.key === key && candidate.type !== 'signature');
    const pointer = pointerTo('/fields', key);
    if (!field) errors.push({ pointer, code: 'unknown_member', detail: NO_FIELD });
    else if (field.type === 'checkbox' ? typeof value !== 'boolean' : typeof value !== 'string') {
      const detail = field.type === 'checkbox' ? 'Must be true or false.' : 'Must be a text.';
      errors.push({ pointer, code: 'wrong_type', detail });
    } else if (typeof value === 'string' && [...value].length > VALUE_LIMITS.characters) {
      errors.push({ pointer, code: 'too_long', detail: TOO_LONG });
    } else values[field.key] = value as string | boolean;
  }
  return { values, errors };
}
