import type { FieldError } from '@constancia/problem-json';
import { ValidateBy } from 'class-validator';

/** What the published contract allows: members, and characters of their names and values. */
export const METADATA = { members: 20, nameLength: 40, valueLength: 500 } as const;

interface MetadataRules {
  /** Characters that names and values have at least. */
  minLength?: number;
  /** Bytes that the whole may have as JSON. */
  maxBytes?: number;
}

/** Bytes of metadata in a query: an address has room for no more. */
export const METADATA_IN_QUERY_BYTES = 4_096;

/** The metadata of a query, which is JSON there; what is wrong with it is added to `errors`. */
export function metadataInQuery(text: unknown, errors: FieldError[]): Record<string, string> {
  if (text === undefined || text === '') return {};
  const metadata = parsed(text);
  const rules = { maxBytes: METADATA_IN_QUERY_BYTES };
  if (fits(metadata, rules)) return metadata as Record<string, string>;
  errors.push({ pointer: '/query/metadata', code: 'wrong_format', detail: `Must be JSON: ${messageOf(rules)}.` });
  return {};
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** An object of short texts that a caller stores with what it creates. */
export function IsMetadata(rules: MetadataRules = {}): PropertyDecorator {
  const validator = {
    validate: (value: unknown) => fits(value, rules),
    defaultMessage: () => `must be ${messageOf(rules)}`,
  };
  return ValidateBy({ name: 'isMetadata', validator });
}

function fits(value: unknown, { minLength = 0, maxBytes = Infinity }: MetadataRules): boolean {
  const { members, nameLength, valueLength } = METADATA;
  const isText = (text: unknown, most: number): boolean =>
    typeof text === 'string' &&
    text.length >= minLength &&
    text.length <= most &&
    !text.includes('\0') &&
    text.isWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  const areTexts = entries.every(([name, text]) => isText(name, nameLength) && isText(text, valueLength));
  return entries.length <= members && areTexts && Buffer.byteLength(JSON.stringify(value)) <= maxBytes;
}

function messageOf({ maxBytes = Infinity }: MetadataRules): string {
  const { members, nameLength, valueLength } = METADATA;
  const inAll = maxBytes === Infinity ? '' : `, ${maxBytes} bytes in all`;
  return `an object of at most ${members} texts: names of at most ${nameLength} characters, values of at most ${valueLength}${inAll}`;
}
