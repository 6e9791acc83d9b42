import { checked, parseJsonBody } from '@constancia/http';
import { BadRequest, type FieldError, ValidationError } from '@constancia/problem-json';
import { SUBJECT_TYPES, type SubjectPayload, type SubjectType } from '@constancia/rule-graph';
import { OmitType } from '@nestjs/swagger';
import { payloadErrors } from '../screenings/payload-errors.ts';
import { MAX_REF_LENGTH, ScreeningBody } from '../screenings/screening-body.ts';

/** A row as it is stored until it is screened. */
export type BatchSubject = [subjectRef: string, subjectType: SubjectType, payload: SubjectPayload];

/** A line of an NDJSON file: a screening of which the batch names the validation code. */
export class BatchLineBody extends OmitType(ScreeningBody, ['validation_code']) {}

/** Members of the payload that a CSV file may have a column for. */
const PAYLOAD_COLUMNS = [
  'full_name',
  'birth_date',
  'document_type',
  'document_number',
  'document_country',
  'country_code',
  'subject_age',
  'kyc_status',
  'amount',
  'currency',
] as const;
export const BATCH_COLUMNS = ['subject_ref', 'subject_type', ...PAYLOAD_COLUMNS] as const;

const NUMBERS: readonly string[] = ['subject_age', 'amount'];
/** With a dot for decimals; anything else stays a text, which the checks refuse. */
const NUMBER = /^\d+(\.\d+)?$/;

/** The row that a line of CSV says, unchecked. An empty cell is a member that is left out. */
export function subjectOfCells(columns: readonly string[], cells: readonly string[]): object {
  const row = new Map(columns.map((column, nth) => [column, cells[nth]?.trim() ?? '']));
  const payload = PAYLOAD_COLUMNS.flatMap((column) => {
    const cell = row.get(column) ?? '';
    return cell === '' ? [] : [[column, NUMBERS.includes(column) && NUMBER.test(cell) ? Number(cell) : cell]];
  });
  return {
    subject_ref: row.get('subject_ref'),
    subject_type: row.get('subject_type') || 'natural',
    payload: Object.fromEntries(payload) as object,
  };
}

/** The row of a line of NDJSON, or what is wrong with it as JSON. */
export function parsedLine(text: string, pointer: string): { value: unknown } | { errors: FieldError[] } {
  try {
    return { value: parseJsonBody(Buffer.from(text)) };
  } catch (error) {
    if (error instanceof ValidationError) return { errors: below(pointer, error.errors) };
    if (!(error instanceof BadRequest)) throw error;
    return { errors: [{ pointer, code: 'malformed', detail: 'Must be one JSON object on one line.' }] };
  }
}

/** The row, checked as the body of one screening is, or everything that is wrong with it. */
export function checkedRow(
  value: unknown,
  pointer: string,
  today: string,
): { subject: BatchSubject } | { errors: FieldError[] } {
  const errors = hasRightMembers(value) ? [] : memberErrors(value, pointer);
  const { subject_ref, subject_type, payload } = (value ?? {}) as BatchLineBody;
  if (isObject(payload)) errors.push(...payloadErrors(payload, today, `${pointer}/payload`));
  return errors.length > 0 ? { errors } : { subject: [subject_ref, subject_type, payload] };
}

const MEMBERS = ['subject_ref', 'subject_type', 'payload'];

/** Whether `checked` would have nothing to say: of 100,000 rows most are right, and it takes most of the time. */
function hasRightMembers(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.payload) || Object.keys(value).some((name) => !MEMBERS.includes(name)))
    return false;
  const { subject_ref, subject_type } = value;
  if (typeof subject_ref !== 'string' || subject_ref.length === 0 || subject_ref.length > MAX_REF_LENGTH) return false;
  return SUBJECT_TYPES.includes(subject_type as SubjectType);
}

function memberErrors(value: unknown, pointer: string): FieldError[] {
  try {
    checked(value, BatchLineBody, pointer);
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return [...error.errors];
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function below(pointer: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, pointer: `${pointer}${error.pointer}` }));
}
