import { shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { DECISIONS, type Decision, SUBJECT_TYPES, type SubjectType } from '@constancia/rule-graph';
import { ApiProperty } from '@nestjs/swagger';
import { CASE_ID_EXAMPLE, SCREENING_ID_EXAMPLE } from '../example-ids.ts';

/** A monitored subject with its last screening, opened. */
export interface ListedSubject {
  validation_code: string;
  subject_type: SubjectType;
  subject_ref: string;
  /** `full_name` of the payload; null when it has none. */
  name: string | null;
  /** UUID of the last screening. */
  screening_id: string;
  screened_at: Date;
  since: Date;
  rescreened_at: Date | null;
  decision: Decision;
  list_hits: ListCode[];
  list_versions: Partial<Record<ListCode, string>>;
  /** UUID. */
  open_case_id: string | null;
}

export class MonitoredSubjectView {
  @ApiProperty({ ...shape.text(200), description: 'The caller’s own reference, as given.', example: 'customer-417' })
  subject_ref: string;

  @ApiProperty({ enum: SUBJECT_TYPES, enumName: 'SubjectType', example: 'natural' })
  subject_type: SubjectType;

  @ApiProperty({
    ...shape.text(1_000),
    type: 'string',
    nullable: true,
    description: 'The name that the last screening was made with; null when it named nobody.',
    example: 'Rosalba Quintero Arbeláez',
  })
  subject_name: string | null;

  @ApiProperty({ ...shape.code, description: 'By which it is screened again.', example: 'default' })
  validation_code: string;

  @ApiProperty({ format: 'date-time', description: 'When it was screened first by this code.' })
  monitored_since: string;

  @ApiProperty({ ...shape.id('scr'), description: 'The last screening.', example: SCREENING_ID_EXAMPLE })
  screening_id: string;

  @ApiProperty({ format: 'date-time', description: 'When the last screening was made.' })
  screened_at: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When a change of a list last led to another result; null when none did.',
  })
  rescreened_at: string | null;

  @ApiProperty({ enum: DECISIONS, enumName: 'Decision', description: 'Of the last screening.', example: 'approve' })
  decision: Decision;

  @ApiProperty({
    maxItems: ALL_LIST_CODES.length,
    enum: ALL_LIST_CODES,
    enumName: 'ListCode',
    isArray: true,
    description: 'Of the last screening.',
  })
  list_hits: ListCode[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', ...shape.listVersion },
    description:
      'Version of each list that the last screening looked at. Later versions changed nothing for this subject.',
    example: { OFAC: '1-3f6a09d2' },
  })
  list_versions: Partial<Record<ListCode, string>>;

  @ApiProperty({
    ...shape.id('cas'),
    type: 'string',
    nullable: true,
    description: 'The case of this subject and code that is not resolved.',
    example: CASE_ID_EXAMPLE,
  })
  open_case_id: string | null;

  static of({
    name,
    since,
    screened_at,
    rescreened_at,
    screening_id,
    open_case_id,
    ...row
  }: ListedSubject): MonitoredSubjectView {
    return {
      subject_ref: row.subject_ref,
      subject_type: row.subject_type,
      subject_name: name,
      validation_code: row.validation_code,
      monitored_since: since.toISOString(),
      screening_id: typeId('scr', screening_id),
      screened_at: screened_at.toISOString(),
      rescreened_at: rescreened_at?.toISOString() ?? null,
      decision: row.decision,
      list_hits: row.list_hits,
      list_versions: row.list_versions,
      open_case_id: open_case_id && typeId('cas', open_case_id),
    };
  }
}

export class MonitoredSubjectPage extends PageOf(MonitoredSubjectView) {}
