import type { CedulaRecord } from './barcode/cedula-layout.ts';
import type { FieldName } from './document-reader.ts';
import type { ReadValue, SourceEvidence } from './evidence.ts';
import { isIssuer } from './mrz/issuers.ts';
import { LAYOUTS, textOf } from './mrz/layout.ts';
import type { MrzFormat } from './mrz/layout.ts';
import { parseMrz } from './mrz/parse-mrz.ts';
import type { MrzRecord } from './mrz/parse-mrz.ts';

type Values = Partial<Record<FieldName, ReadValue>>;

/** A cédula's barcode as evidence: its error correction speaks for every field. */
export function cedulaEvidence(record: CedulaRecord): SourceEvidence {
  const read = (value: string): ReadValue => ({ value, confidence: 1, checks: ['error_correction'] });
  const fields: Values = {
    document_number: read(record.documentNumber),
    surnames: read(record.surnames),
    given_names: read(record.givenNames),
    issuing_country: read('CO'),
  };
  if (record.birthDate !== null) fields.birth_date = read(record.birthDate);
  if (record.sex !== null) fields.sex = read(record.sex);
  return { source: 'pdf417', kind: record.prefix === 'I3' ? 'ti' : 'cc_yellow', fields };
}

/** Confidence in each cell (0 to 1), line by line; without it, every cell counts as certain. */
export type Confidence = readonly (readonly number[])[];

/**
 * The lines of an MRZ as evidence; null when they are none. Each field is as sure as its least sure cell. Engines that hand
 * over an MRZ as text use this too. `day` as in parseMrz.
 */
export function mrzEvidence(lines: readonly string[], day: string, sureness?: Confidence): SourceEvidence | null {
  const record = parseMrz(lines, day);
  if (record === null || namesNothing(lines, record)) return null;
  const sure = (name: SpanName) => surenessOf(record.format, name, sureness);
  const digitalCedula = record.kind === 'cc_digital' && /^\d{3,10}$/.test(record.optional);
  const { checkDigits } = record;
  const verdict = (name: 'document_number' | 'birth_date' | 'expiry_date' | 'composite', as = 'check_digit') =>
    checkDigits[name] ? [as] : [`failed:${as}`];
  const read = (value: string, name: SpanName, checks: string[] = []) => {
    const confidence = sure(name);
    const isDoubtful = !CHECKED.has(name) && confidence < DOUBTFUL;
    return { value, confidence, checks: isDoubtful ? [...checks, 'doubtful_characters'] : checks };
  };
  const number = digitalCedula
    ? read(record.optional.replace(/^0+/, ''), 'optional', verdict('composite', 'composite_digit'))
    : read(record.documentNumber, 'number', verdict('document_number'));
  const fields: Values = {
    document_number: number,
    surnames: read(record.surnames, 'names'),
    given_names: read(record.givenNames, 'names'),
    sex: read(record.sex, 'sex'),
    nationality: read(record.nationality, 'nationality', knownCode(lines, record, 'nationality')),
    issuing_country: read(record.issuer, 'issuer', knownCode(lines, record, 'issuer')),
  };
  if (record.birthDate !== null) fields.birth_date = read(record.birthDate, 'birth', verdict('birth_date'));
  if (record.expiryDate !== null) fields.expiry_date = read(record.expiryDate, 'expiry', verdict('expiry_date'));
  for (const name of ['surnames', 'given_names', 'document_number'] as const)
    if (fields[name]?.value === '') delete fields[name];
  const optionalNumber = digitalCedula ? record.documentNumber : record.optional || record.optional2;
  return { source: 'mrz', kind: record.kind, fields, checkDigits, optionalNumber };
}

/** Fields with a check digit of their own: it settles what the picture leaves open. The composite digit alone may fit two readings. */
const CHECKED: ReadonlySet<string> = new Set(['number', 'birth', 'expiry']);
/** Below, another glyph is about as likely. */
const DOUBTFUL = 0.5;

type SpanName = keyof (typeof LAYOUTS)['TD1']['fields'];

function surenessOf(format: MrzFormat, name: SpanName, sureness?: Confidence): number {
  const { line, from, to } = LAYOUTS[format].fields[name];
  const cells = sureness?.[line]?.slice(from, to) ?? [];
  return Math.round(Math.min(1, ...cells) * 1000) / 1000;
}

/** Neither a state nor a date in it: rows of something else, whose check digits fit by chance or because all cells are alike. */
function namesNothing(lines: readonly string[], record: MrzRecord): boolean {
  if (record.birthDate !== null || record.expiryDate !== null) return false;
  return !(['issuer', 'nationality'] as const).some((name) =>
    isIssuer(textOf(lines, LAYOUTS[record.format].fields[name])),
  );
}

const knownCode = (lines: readonly string[], { format }: MrzRecord, name: 'issuer' | 'nationality'): string[] =>
  isIssuer(textOf(lines, LAYOUTS[format].fields[name])) ? ['known_code'] : ['failed:known_code'];
