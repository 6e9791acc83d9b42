import { ApiOptional } from '@constancia/http';
import { shape } from '@constancia/contracts';
import { SUBJECT_TYPES, type SubjectPayload, type SubjectType } from '@constancia/rule-graph';
import { DOCUMENT_TYPES } from '@constancia/reference-data';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, type SchemaObject } from '@nestjs/swagger';
import { IsIn, IsObject, IsString, Length } from 'class-validator';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { DEFAULT_CODE, IsOptionalCode } from '../validations/validation-body.ts';
import { PAYLOAD_LIMITS } from './payload-limits.ts';

const IDENTITY_SCHEMA: Record<string, SchemaObject> = {
  full_name: { type: 'string', maxLength: PAYLOAD_LIMITS.name, description: 'In any script and order.' },
  birth_date: { type: 'string', format: 'date', description: 'Not in the future.' },
  document_type: { type: 'string', enum: [...DOCUMENT_TYPES] },
  document_number: { type: 'string', maxLength: 64 },
  country_code: { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1 alpha-2.' },
};

const PARTY_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['full_name'],
  properties: { ...IDENTITY_SCHEMA, ownership_percent: { type: 'number', minimum: 0, maximum: 100 } },
  additionalProperties: true,
};

const PAYLOAD_DOC: SchemaObject = {
  type: 'object',
  properties: {
    ...IDENTITY_SCHEMA,
    subject_age: {
      type: 'integer',
      minimum: 0,
      maximum: 150,
      description: 'With a birth date, the birth date decides; more than a year apart is reported as a data gap.',
    },
    kyc_status: { type: 'string', maxLength: 64 },
    amount: { type: 'number', minimum: 0 },
    currency: { type: 'string', pattern: '^[A-Za-z]{3}$', description: 'ISO 4217.' },
    legal_representative: PARTY_SCHEMA,
    beneficial_owners: { type: 'array', maxItems: PAYLOAD_LIMITS.parties, items: PARTY_SCHEMA },
    related_parties: { type: 'array', maxItems: PAYLOAD_LIMITS.parties, items: PARTY_SCHEMA },
  },
  additionalProperties: true,
  description:
    'What is known of the subject. Related parties are looked for on the lists, too. Further members are free, for rules that ask ' +
    `for them: at most ${PAYLOAD_LIMITS.bytes / 1024} KB, ${PAYLOAD_LIMITS.depth} levels and ${PAYLOAD_LIMITS.values} values in all.`,
  example: {
    full_name: 'Ana María Ejemplo Prueba',
    birth_date: '1987-04-12',
    document_type: 'CC',
    document_number: '1098765432',
    country_code: 'CO',
    amount: 1250000,
    currency: 'COP',
  },
};

export const MAX_REF_LENGTH = 200;

/** Who is screened, and by which rules. */
export class ScreeningBody {
  @ApiPropertyOptional({ default: DEFAULT_CODE, description: 'Its published version is used.' })
  @IsOptionalCode()
  validation_code?: string;

  @ApiProperty({
    description: 'Your own reference of the subject: kept for correlation only. Put no personal data here.',
    example: 'customer-417',
  })
  @IsString()
  @Length(1, MAX_REF_LENGTH)
  subject_ref: string;

  @ApiProperty({ enumName: 'SubjectType', example: 'natural' })
  @IsIn(SUBJECT_TYPES)
  subject_type: SubjectType;

  @ApiProperty(PAYLOAD_DOC as ApiPropertyOptions)
  @IsObject()
  payload: SubjectPayload;
}

export class DryRunBody extends ScreeningBody {
  @ApiOptional({
    ...shape.id('val'),
    description: 'A validation of any status. Without it: the published version of the code, else its newest draft.',
    example: VALIDATION_ID_EXAMPLE,
  })
  @IsString()
  validation_id?: string;
}
