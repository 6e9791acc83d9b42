import type { CheckedRow, RowReader } from '@constancia/batches';
import { BATCH_COLUMNS, PAYLOAD_COLUMNS } from '@constancia/contracts/screening-batches';
import { checked } from '@constancia/http';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import { SUBJECT_TYPES, type SubjectPayload, type SubjectType } from '@constancia/rule-graph';
import { OmitType } from '@nestjs/swagger';
import { payloadErrors } from '../screenings/payload-errors.ts';
import { payloadWarnings } from '../screenings/payload-warnings.ts';
import { MAX_REF_LENGTH, ScreeningBody } from '../screenings/screening-body.ts';

/** A row as it is stored until it is screened. */
export type BatchSubject = [subjectRef: string, subjectType: SubjectType, payload: SubjectPayload];

/** A line of an NDJSON file: a screening of which the batch names the validation code. */
export class BatchLineBody extends OmitType(ScreeningBody, ['validation_code']) {}

const NUMBERS: readonly string[] = ['subject_age', 'amount'];
/** With a dot for decimals; anything else stays a text, which the checks refuse. */
const NUMBER = /^\d+(\.\d+)?$/;

/** The row that a line of CSV says, unchecked. An empty cell is a member that is left out. */
function subjectOfCells(columns: readonly string[], cells: readonly string[]): object {
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

/** The rows of screening batches. `today`: for what they say of ages. */
export function subjectReader(today: string): RowReader<BatchSubject> {
  return {
    columnOf: (cell) => cell.toLowerCase(),
    isKnown: (column) => (BATCH_COLUMNS as readonly string[]).includes(column),
    knownColumns: BATCH_COLUMNS,
    requiredColumns: ['subject_ref'],
    ofCells: (columns, cells, pointer) => checkedRow(subjectOfCells(columns, cells), pointer, today),
    ofValue: (value, pointer) => checkedRow(value, pointer, today),
  };
}

/** The row, checked as the body of one screening is, or everything that is wrong with it. */
function checkedRow(value: unknown, pointer: string, today: string): CheckedRow<BatchSubject> {
  const errors = hasRightMembers(value) ? [] : memberErrors(value, pointer);
  const { subject_ref, subject_type, payload } = (value ?? {}) as BatchLineBody;
  if (isObject(payload)) errors.push(...payloadErrors(payload, today, `${pointer}/payload`));
  if (errors.length > 0) return { errors };
  const warnings = payloadWarnings(payload, `${pointer}/payload`);
  return { subject: [subject_ref, subject_type, payload], ...(warnings.length > 0 && { warnings }) };
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
