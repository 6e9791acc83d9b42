import { isDay } from '@constancia/kernel';

/** What is taken from a cédula's barcode. The fingerprint templates behind these fields are never read. */
export interface CedulaRecord {
  /** `03` on adults' cards, `I3` on minors'. */
  prefix: string;
  /** NUIP, without leading zeros. */
  documentNumber: string;
  /** Both, separated by one space; so are the given names. */
  surnames: string;
  givenNames: string;
  sex: 'M' | 'F' | null;
  /** `YYYY-MM-DD`, or null when it is no day. */
  birthDate: string | null;
}

const MARKER = 'PubDSK_1';
/** Nothing behind the birth place and blood group is ever copied out of the barcode: biometric templates follow. */
const TEXT_ENDS = 170;
const AT = {
  prefix: [0, 2],
  number: [48, 58],
  surnames: [58, 81, 104],
  givenNames: [104, 127, 150],
  facts: 150,
} as const;

/**
 * The text fields of the yellow cédula's PDF417 (531 bytes, Latin-1, NUL-padded; the layout is reverse engineered, see
 * ADR 0080). Cards without the marker `PubDSK_1` carry everything from the number on shifted by one byte: the shift at which
 * number, sex and birth date have their shapes is taken. Null for any other barcode.
 */
export function parseCedula(bytes: Uint8Array): CedulaRecord | null {
  if (bytes.length < TEXT_ENDS) return null;
  const text = Buffer.from(bytes.subarray(0, TEXT_ENDS)).toString('latin1');
  const marked = text.indexOf(MARKER);
  const shifts = marked >= 0 ? [marked - 24, marked - 23, marked - 25] : [0, 1, -1];
  for (const shift of shifts) {
    const record = recordAt(text, shift);
    if (record) return record;
  }
  return null;
}

function recordAt(text: string, shift: number): CedulaRecord | null {
  const part = (from: number, to: number) => text.slice(from + shift, to + shift);
  const number = part(AT.number[0], AT.number[1]);
  const facts = /^0([MF])(\d{8})/.exec(part(AT.facts, AT.facts + 10));
  if (!/^\d{10}$/.test(number) || Number(number) === 0 || !facts) return null;
  const [first, second, last] = AT.surnames;
  const [given, other, end] = AT.givenNames;
  const surnames = joined(part(first, second), part(second, last));
  const givenNames = joined(part(given, other), part(other, end));
  if (surnames === null || givenNames === null) return null;
  const day = (facts[2] as string).replace(/(\d{4})(\d{2})(\d{2})/, '$1-$2-$3');
  return {
    prefix: text.slice(AT.prefix[0], AT.prefix[1]),
    documentNumber: number.replace(/^0+/, ''),
    surnames,
    givenNames,
    sex: facts[1] as 'M' | 'F',
    birthDate: isDay(day) ? day : null,
  };
}

/** Two padded names as one; null when they hold what is no name, or both are empty. */
function joined(...padded: string[]): string | null {
  const names = padded.map((each) => each.replace(/[\0 ]+$/, '').trim());
  if (names.some((name) => !/^[\p{L} .'’-]*$/u.test(name))) return null;
  const name = names
    .filter((each) => each !== '')
    .join(' ')
    .replace(/\s+/g, ' ');
  return name === '' ? null : name.normalize('NFC').toUpperCase();
}
