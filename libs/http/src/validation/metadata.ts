import { ValidateBy } from 'class-validator';

/** What the published contract allows: members, and characters of their names and values. */
export const METADATA = { members: 20, nameLength: 40, valueLength: 500 } as const;

interface MetadataRules {
  /** Characters that names and values have at least. */
  minLength?: number;
  /** Bytes that the whole may have as JSON. */
  maxBytes?: number;
}

/** What a value must be instead of what it is; null when it is an object of short texts. */
export function metadataProblem(value: unknown, rules: MetadataRules = {}): string | null {
  return fits(value, rules) ? null : messageOf(rules);
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
