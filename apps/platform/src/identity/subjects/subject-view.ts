import { PageOf } from '@constancia/http';
import { shape } from '@constancia/contracts';
import { ageOn, bogotaDay, typeId } from '@constancia/kernel';
import { ALL_LIST_CODES, DOCUMENT_TYPES } from '@constancia/reference-data';
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, ApiSchema, getSchemaPath, OmitType } from '@nestjs/swagger';
import type { Subject } from './subject.entity.ts';
import { KYC_STATUSES, type KycStatus, type PersonalData } from './subject.ts';

export const SUBJECT_ID_EXAMPLE = 'sub_01jd8m3x5se9t8qzvwpk4c2d6h';

/** All but the last four, and never more than half, of a document number. */
export function maskedNumber(number: string): string {
  const shown = Math.min(4, Math.floor(number.length / 2));
  return `${'•'.repeat(number.length - shown)}${number.slice(number.length - shown)}`;
}

@ApiSchema({ name: 'Subject' })
export class SubjectView {
  @ApiProperty({ ...shape.id('sub'), example: SUBJECT_ID_EXAMPLE })
  subject_id: string;

  @ApiProperty({
    ...shape.text(200),
    type: String,
    nullable: true,
    description: 'Your own reference, as the session was opened with it.',
  })
  external_ref: string | null;

  @ApiProperty({ enum: KYC_STATUSES })
  kyc_status: KycStatus;

  @ApiProperty({ enum: DOCUMENT_TYPES })
  document_type: string;

  @ApiProperty({
    ...shape.text(64),
    type: String,
    nullable: true,
    example: '••••••5432',
    description: 'Its last four characters; null when the person gave a kept verification without it.',
  })
  document_number_masked: string | null;

  @ApiProperty({ pattern: '^[A-Z]{2}$', example: 'CO' })
  document_country: string;

  @ApiProperty({
    ...shape.text(1000),
    type: String,
    nullable: true,
    description: 'As two sources on the document said it.',
  })
  full_name: string | null;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  birth_date: string | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Completed years today in Colombia.' })
  age_years: number | null;

  @ApiProperty({
    maxItems: ALL_LIST_CODES.length,
    type: 'array',
    items: { type: 'string', enum: [...ALL_LIST_CODES] },
    example: ['PEP'],
  })
  restrictive_list_hits: string[];

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  verified_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Erased: nothing personal is left.' })
  erased_at: string | null;

  @ApiProperty({
    ...shape.id('rcp'),
    type: String,
    nullable: true,
    example: null,
    description: 'The receipt of its erasure: GET /v1/erasures/{receipt_id}.',
  })
  receipt_id: string | null;

  static of(row: Subject & { receipt_id: string | null }, data: PersonalData | null): SubjectView {
    return {
      subject_id: typeId('sub', row.id),
      external_ref: row.external_ref,
      kyc_status: row.kyc_status,
      document_type: row.document_type,
      document_number_masked: data?.documentNumber ? maskedNumber(data.documentNumber) : null,
      document_country: row.document_country,
      full_name: data?.fullName ?? null,
      birth_date: data?.birthDate ?? null,
      age_years: data?.birthDate ? ageOn(data.birthDate, bogotaDay(new Date())) : null,
      restrictive_list_hits: row.restrictive_list_hits,
      verified_at: row.verified_at?.toISOString() ?? null,
      erased_at: row.erased_at?.toISOString() ?? null,
      receipt_id: row.receipt_id && typeId('rcp', row.receipt_id),
    };
  }
}

/** What the person may know: neither hits on lists (no tipping-off) nor what the tenant calls them. */
@ApiSchema({ name: 'SubjectOfPerson' })
export class PersonSubjectView extends OmitType(SubjectView, [
  'external_ref',
  'restrictive_list_hits',
  'erased_at',
  'receipt_id',
]) {
  static of(view: SubjectView): PersonSubjectView {
    const { subject_id, kyc_status, document_type, document_number_masked, document_country } = view;
    const { full_name, birth_date, age_years, verified_at } = view;
    return {
      ...{ subject_id, kyc_status, document_type, document_number_masked, document_country },
      ...{ full_name, birth_date, age_years, verified_at },
    };
  }
}

/** What the API key sees, or what the person sees. */
export function ApiSubjectOk(): MethodDecorator {
  const views = [SubjectView, PersonSubjectView];
  return applyDecorators(
    ApiExtraModels(...views),
    ApiOkResponse({
      description: 'With the API key a Subject; with an access token of the person a SubjectOfPerson.',
      schema: { anyOf: views.map((view) => ({ $ref: getSchemaPath(view) })) },
    }),
  );
}

@ApiSchema({ name: 'SubjectPage' })
export class SubjectPage extends PageOf(SubjectView, {}) {}
