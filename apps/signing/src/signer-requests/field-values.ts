import { visibleFields } from '@constancia/contracts';
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
  /** What the sender suggests. */
  prefilled?: FieldValues;
}

type Read = { value: string | boolean | undefined } | Omit<FieldError, 'pointer'>;

const MISSING = { code: 'required', detail: 'Fill this field in.' };
const TOO_LONG = `A value has at most ${VALUE_LIMITS.characters} characters.`;
const UNTICKED = { code: 'required', detail: 'This box must be ticked.' };

/**
 * The values of a signer's own fields (signatures apart) out of what was sent, or all that is wrong with it. The key of another signer's
 * field is refused like a key that does not exist. A field that is left out has its prefilled value; one that is not shown has no value.
 */
export function fieldValues(
  own: readonly CircuitField[],
  sent: Record<string, unknown>,
  known: Known,
  at = '/fields',
): { values: FieldValues; errors: FieldError[] } {
  const errors: FieldError[] = unknownKeys(own, sent, at);
  const values: FieldValues = {};
  for (const field of inOrderOfConditions(own)) {
    if (field.type === 'signature') continue;
    const read = isShown(field, own, values) ? given(field, sent, known) : hidden(field, sent);
    if ('code' in read) errors.push({ pointer: pointerTo(at, field.key), ...read });
    else if (read.value !== undefined) values[field.key] = read.value;
  }
  return { values, errors };
}

function unknownKeys(own: readonly CircuitField[], sent: Record<string, unknown>, at: string): FieldError[] {
  return Object.keys(sent).flatMap((key) => {
    const field = own.find((candidate) => candidate.key === key);
    const pointer = pointerTo(at, key);
    if (!field) return [{ pointer, code: 'unknown_member', detail: NO_FIELD }];
    if (field.type !== 'signature') return [];
    return [{ pointer, code: 'not_allowed', detail: 'Send the signature as `signature`.' }];
  });
}

const isShown = ({ key }: CircuitField, own: readonly CircuitField[], values: FieldValues): boolean =>
  visibleFields(own, values).some((field) => field.key === key);

/** A field after the one that its condition rests on. */
function inOrderOfConditions(own: readonly CircuitField[]): CircuitField[] {
  const depthOf = (field: CircuitField | undefined): number =>
    field?.visible_if ? 1 + depthOf(own.find(({ key }) => key === field.visible_if?.field)) : 0;
  return own.map((field) => ({ field, depth: depthOf(field) })).sort((a, b) => a.depth - b.depth).map(({ field }) => field); // prettier-ignore
}

function given(field: CircuitField, sent: Record<string, unknown>, known: Known): Read {
  const { prefilled = {} } = known;
  const suggested = Object.hasOwn(prefilled, field.key) ? prefilled[field.key] : undefined;
  if (!Object.hasOwn(sent, field.key)) return valueOf(field, suggested, known);
  const read = valueOf(field, sent[field.key], known);
  const changed = suggested !== undefined && field.locked === true && !('code' in read) && read.value !== suggested;
  return changed ? { code: 'locked', detail: 'The sender has fixed this value.' } : read;
}

function hidden({ key }: CircuitField, sent: Record<string, unknown>): Read {
  const value = Object.hasOwn(sent, key) ? sent[key] : undefined;
  if (value === undefined || value === null || value === '' || value === false) return { value: undefined };
  return { code: 'hidden', detail: 'With the other values this field is not shown: leave it out.' };
}

/** Values that the sender suggests for fields of signers: nothing is required, and what is empty is left out. */
export function prefilledValues(
  fields: readonly CircuitField[],
  sent: Record<string, unknown>,
  at: string,
): { values: FieldValues; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const values: FieldValues = {};
  for (const [key, value] of Object.entries(sent)) {
    const field = fields.find((candidate) => candidate.key === key);
    const read = field ? suggestion(field, value) : { code: 'unknown_member', detail: 'The circuit has no field with this key.' }; // prettier-ignore
    if ('code' in read) errors.push({ pointer: pointerTo(at, key), ...read });
    else if (read.value !== undefined) values[key] = read.value;
  }
  return { values, errors };
}

function suggestion(field: CircuitField, value: unknown): Read {
  if (field.type === 'signature') return { code: 'not_allowed', detail: 'A signature cannot be prefilled.' };
  if (field.type === 'checkbox' && field.required) {
    return { code: 'not_allowed', detail: 'The signer must tick this box: it cannot be prefilled.' };
  }
  if (value === null || (typeof value === 'string' && value.trim() === '')) return { value: undefined };
  return valueOf({ ...field, required: false }, value, NOTHING_KNOWN);
}

const NOTHING_KNOWN: Known = { name: null, at: new Date(0) };
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
