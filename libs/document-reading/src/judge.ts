import { documentProblem, plainDocumentNumber } from '@constancia/reference-data';
import type { DocumentType } from '@constancia/reference-data';
import { FIELD_NAMES, READING_REASONS } from './document-reader.ts';
import type {
  CheckDigits,
  DocumentField,
  DocumentKind,
  DocumentReading,
  ExpectedDocument,
  FieldName,
  ReadingOutcome,
  ReadingReason,
} from './document-reader.ts';
import type { DocumentEvidence, SourceEvidence } from './evidence.ts';
import { sameName } from './names.ts';

/** Document types that a kind can be shown for. */
const TYPES: Record<DocumentKind, readonly DocumentType[]> = {
  cc_yellow: ['CC'],
  cc_digital: ['CC'],
  ti: ['TI'],
  ce: ['CE'],
  ppt: ['PPT'],
  passport: ['PA'],
};

export type Verdict = Pick<DocumentReading, 'outcome' | 'reasons' | 'kind' | 'fields' | 'nameTrusted' | 'checkDigits'>;

/** The weightiest outcome that any reason calls for: a retry before all, since the rest was not read. */
const WEIGHT: readonly ReadingOutcome[] = ['error', 'retry', 'reject', 'review'];

/**
 * The one place where evidence becomes an outcome, whichever engine gathered it. `day`: `YYYY-MM-DD`.
 *
 * - A name is trusted when two sources give it letter by letter (in the MRZ's alphabet), else the outcome is at best review.
 * - Read, but of another type, number or country than expected: retry, document_mismatch.
 * - One wrong check digit: review (official specimens of the digital cédula have a wrong composite digit). A field's and the
 *   composite digit both wrong: misread, so retry.
 */
export function judgeDocument(evidence: DocumentEvidence, expected: ExpectedDocument, day: string): Verdict {
  const machine = evidence.sources.filter(({ source }) => source !== 'front');
  const readable = evidence.sources.filter(({ fields }) => fields.document_number);
  const checkDigits = machine.find((each) => each.checkDigits)?.checkDigits ?? {};
  const fields = fieldsOf(evidence.sources);
  const nameTrusted = fields.surnames?.trusted === true && fields.given_names?.trusted === true;
  const kind = kindOf(machine, expected);
  const reasons =
    readable.length === 0
      ? unread(evidence)
      : [
          ...mismatch(readable, kind, expected),
          ...doubts(fields, checkDigits, kind, day),
          ...(disagreeing(evidence.sources) ? (['sources_disagree'] as const) : []),
          ...(nameTrusted ? [] : (['name_unconfirmed'] as const)),
        ];
  return { ...outcomeOf(reasons), kind, fields, nameTrusted, checkDigits };
}

/** Only the reasons of the weightiest outcome are reported. */
export function outcomeOf(reasons: readonly ReadingReason[]): Pick<Verdict, 'outcome' | 'reasons'> {
  for (const outcome of WEIGHT) {
    const known: readonly string[] = outcome === 'pass' ? [] : READING_REASONS[outcome];
    const fitting = [...new Set(reasons.filter((reason) => known.includes(reason)))];
    if (fitting.length > 0) return { outcome, reasons: fitting };
  }
  return { outcome: 'pass', reasons: [] };
}

function unread({ quality, wrongSide }: DocumentEvidence): ReadingReason[] {
  const pictures = [...new Set(quality.flatMap(({ reasons }) => reasons))];
  return [...pictures, ...(wrongSide ? (['wrong_side'] as const) : []), 'unreadable'];
}

/** A PPT's MRZ does not tell it from a CE's; what the session was opened with does. */
function kindOf(machine: readonly SourceEvidence[], expected: ExpectedDocument): DocumentKind | null {
  const kind = machine.find((each) => each.kind !== null)?.kind ?? null;
  return kind === 'ce' && expected.documentType === 'PPT' ? 'ppt' : kind;
}

function fieldsOf(sources: readonly SourceEvidence[]): DocumentReading['fields'] {
  const fields: DocumentReading['fields'] = {};
  for (const name of FIELD_NAMES) {
    const field = fieldOf(name, sources);
    if (field) fields[name] = field;
  }
  return fields;
}

/** The first source's value (barcode, then MRZ, then print), with what the others say about it. */
function fieldOf(name: FieldName, sources: readonly SourceEvidence[]): DocumentField | null {
  const order = { pdf417: 0, mrz: 1, front: 2 };
  const saying = sources.filter(({ fields }) => fields[name]).sort((a, b) => order[a.source] - order[b.source]);
  const [first, ...others] = saying;
  const read = first?.fields[name];
  if (!first || !read) return null;
  const same = (other: SourceEvidence) => agree(name, read.value, other.fields[name]?.value ?? '');
  const checks = [...read.checks, ...others.map((other) => `${same(other) ? 'agrees' : 'differs'}:${other.source}`)];
  const contradicted =
    isDoubtful({ checks }) || checks.some((check) => check.startsWith('failed:') || check.startsWith('differs:'));
  const named = name === 'surnames' || name === 'given_names';
  const covered = ['error_correction', 'check_digit', 'composite_digit'];
  const supported = checks.some((check) => check.startsWith('agrees:') || (!named && covered.includes(check)));
  return {
    value: read.value,
    source: first.source,
    confidence: read.confidence,
    checks,
    trusted: supported && !contradicted,
  };
}

function agree(name: FieldName, one: string, other: string): boolean {
  if (name === 'surnames' || name === 'given_names') return sameName(one, other);
  return name === 'document_number' ? sameNumber(one, other) : one === other;
}

const sameNumber = (one: string, other: string): boolean => bare(one) === bare(other) && bare(one) !== '';
const bare = (number: string): string => plainDocumentNumber(number).replace(/^0+/, '');

function disagreeing(sources: readonly SourceEvidence[]): boolean {
  return FIELD_NAMES.some((name) => fieldOf(name, sources)?.checks.some((check) => check.startsWith('differs:')));
}

function mismatch(
  readable: readonly SourceEvidence[],
  kind: DocumentKind | null,
  expected: ExpectedDocument,
): ReadingReason[] {
  const { documentType, documentNumber, country } = expected;
  const value = (name: FieldName) => readable.find(({ fields }) => fields[name])?.fields[name]?.value;
  const [issuer, nationality] = [value('issuing_country'), value('nationality')];
  // Callers often give the holder's nationality for Colombia's cards for foreigners.
  const places = kind === 'ce' || kind === 'ppt' ? [issuer, nationality, 'CO'] : [issuer];
  const otherCountry = country !== undefined && issuer !== undefined && !places.includes(country.toUpperCase());
  const foreign = issuer !== undefined && issuer !== 'CO';
  const otherType =
    documentType !== undefined &&
    (kind === null ? !foreign || documentType === 'PA' : !TYPES[kind].includes(documentType));
  const numbers = readable.flatMap((each) => [each.fields.document_number?.value ?? '', each.optionalNumber ?? '']);
  const otherNumber = documentNumber !== undefined && !numbers.some((number) => sameNumber(number, documentNumber));
  if (otherNumber && readable.some(({ fields }) => fields.document_number?.checks.includes('failed:check_digit'))) {
    return ['unreadable'];
  }
  return otherType || otherNumber || otherCountry ? ['document_mismatch'] : [];
}

function doubts(
  fields: DocumentReading['fields'],
  digits: CheckDigits,
  kind: DocumentKind | null,
  day: string,
): ReadingReason[] {
  const reasons: ReadingReason[] = [];
  const wrong = Object.entries(digits).filter(([, right]) => !right).map(([name]) => name); // prettier-ignore
  if (wrong.length > 0) reasons.push(wrong.length > 1 && wrong.includes('composite') ? 'unreadable' : 'check_digit');
  const { expiry_date: expiry, birth_date: birth, document_number: number, issuing_country: issuer } = fields;
  if (expiry && expiry.value < day)
    reasons.push(expiry.trusted && wrong.length === 0 ? 'document_expired' : 'doubtful_date');
  if (!birth || birth.value > day) reasons.push('doubtful_date');
  if (number && (isDoubtful(number) || !fitsKind(number.value, kind, issuer?.value))) reasons.push('doubtful_number');
  return reasons;
}

/** Whether a number has the form of its kind of document; without a kind there is nothing to compare it with. */
function fitsKind(number: string, kind: DocumentKind | null, issuer = 'CO'): boolean {
  const type = kind === null ? undefined : TYPES[kind][0];
  return type === undefined || documentProblem(type, issuer, number) === null;
}

/** Characters that the picture leaves open, in a field without a check digit of its own, and no other source that agrees. */
const isDoubtful = ({ checks }: Pick<DocumentField, 'checks'>) =>
  checks.includes('doubtful_characters') && !checks.some((check) => check.startsWith('agrees:'));
