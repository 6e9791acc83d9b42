import * as asn1js from 'asn1js';
import { AttributeTypeAndValue, RelativeDistinguishedNames } from 'pkijs';

/** Attribute types by their short names (RFC 4514, section 3, and what certificates of legal persons carry). */
const TYPES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  SERIALNUMBER: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  ORGANIZATIONIDENTIFIER: '2.5.4.97',
};
const SHORT_NAMES = new Map(Object.entries(TYPES).map(([name, oid]) => [oid, name]));
/** X.520 has these as PrintableString only. */
const PRINTABLE: readonly string[] = [TYPES.C as string, TYPES.SERIALNUMBER as string];
const LONGEST_VALUE = 64;

/**
 * Reads a name as RFC 4514 writes it, the most specific part first: `CN=Constancia, O=Constancia S.A.S., C=CO`; a backslash
 * before a comma makes it part of the value. Throws Error with a sentence for who configured it.
 */
export function distinguishedName(text: string): RelativeDistinguishedNames {
  const parts = text
    .split(/(?<!\\),/)
    .map(part)
    .reverse(); // encoded the other way round: the country first
  // By its encoding: from values, pkijs would write one part that has them all.
  const name = new asn1js.Sequence({ value: parts.map((one) => new asn1js.Set({ value: [one.toSchema()] })) });
  return RelativeDistinguishedNames.fromBER(name.toBER());
}

/** What is wrong with a name, as a sentence; undefined when nothing is. */
export function nameProblem(text: string): string | undefined {
  try {
    distinguishedName(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function part(text: string): AttributeTypeAndValue {
  const [, name = '', raw = ''] = /^\s*([A-Za-z]+)\s*=(.*)$/s.exec(text) ?? [];
  const type = TYPES[name.toUpperCase()];
  if (!type) throw new Error(`A name has parts like CN=, O=, C=, separated by commas; this is none: ${text.trim()}`);
  const value = raw.trim().replace(/\\(.)/gs, '$1');
  if (value.length === 0 || value.length > LONGEST_VALUE)
    throw new Error(`${name}= must have 1 to ${LONGEST_VALUE} characters.`);
  if (PRINTABLE.includes(type)) {
    if (!/^[A-Za-z0-9 '()+,\-./:=?]+$/.test(value))
      throw new Error(`${name}= has a character that cannot stand there.`);
    if (type === TYPES.C && !/^[A-Z]{2}$/.test(value)) throw new Error('C= must be two capital letters (ISO 3166).');
    return new AttributeTypeAndValue({ type, value: new asn1js.PrintableString({ value }) });
  }
  return new AttributeTypeAndValue({ type, value: new asn1js.Utf8String({ value }) });
}

/** Writes a name as `distinguishedName` reads it. Types without a short name by their number. */
export function nameText(name: RelativeDistinguishedNames): string {
  return [...name.typesAndValues]
    .reverse()
    .map(({ type, value }) => {
      const text = String((value.valueBlock as { value?: unknown }).value ?? '');
      return `${SHORT_NAMES.get(type) ?? type}=${text.replace(/[,\\]/g, '\\$&')}`;
    })
    .join(', ');
}
