import { shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { type Validation, VALIDATION_STATUSES, type ValidationStatus } from './validation.entity.ts';

/** A validation as stored, with how many rules it has. `revision`: `updated_at` in microseconds, which a Date lacks. */
export type ValidationRow = Validation & { rules: number; revision: string };

/** The etag of a validation: another one after every change of it or of its rules. */
export const validationEtag = ({ revision }: Pick<ValidationRow, 'revision'>): string => `"u${revision}"`;

/** A versioned set of rules. */
export class ValidationView {
  @ApiProperty({ ...shape.id('val'), example: VALIDATION_ID_EXAMPLE })
  id: string;

  @ApiProperty({
    ...shape.code,
    description: 'What screenings name it by: one version of it is published at a time.',
    example: 'default',
  })
  code: string;

  @ApiProperty({ ...shape.text(200), example: 'SARLAFT personas' })
  name: string;

  @ApiProperty({ ...shape.text(2000), type: 'string', nullable: true, example: 'Vinculación de clientes.' })
  description: string | null;

  @ApiProperty({ enum: VALIDATION_STATUSES, enumName: 'ValidationStatus', example: 'draft' })
  status: ValidationStatus;

  @ApiProperty({ ...shape.ordinal, description: 'Counts up from 1 within the code.', example: 1 })
  version: number;

  @ApiProperty({ ...shape.count(), description: 'How many rules it has.', example: 20 })
  rules: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the rules as canonical JSON, hex; null while it is a draft.',
  })
  rules_hash: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  updated_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  published_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  deprecated_at: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    maxLength: 128,
    example: null,
    description: 'Who published this draft first, where the settings demand that a second person does, too.',
  })
  published_first_by: string | null;

  @ApiProperty({
    ...shape.text(66),
    description: 'Of its words and rules as they are now: send it as If-Match to publish just that.',
    example: '"u1763737445678123"',
  })
  etag: string;

  static of(row: ValidationRow): ValidationView {
    return {
      id: typeId('val', row.id),
      etag: validationEtag(row),
      code: row.code,
      name: row.name,
      description: row.description,
      status: row.status,
      version: row.version,
      rules: row.rules,
      rules_hash: row.rules_hash?.toString('hex') ?? null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      published_at: row.published_at?.toISOString() ?? null,
      deprecated_at: row.deprecated_at?.toISOString() ?? null,
      published_first_by: row.publication?.actor ?? null,
    };
  }
}

export class ValidationPage extends PageOf(ValidationView) {}
