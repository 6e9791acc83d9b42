import { shape } from '@constancia/contracts';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { CaseSubject } from '../case-records/noticed-screening.ts';

/** Who was screened: members of the payload, as given. */
export class CaseSubjectView implements CaseSubject {
  @ApiPropertyOptional(shape.text(1000))
  full_name?: string;

  @ApiPropertyOptional({ format: 'date' })
  birth_date?: string;

  @ApiPropertyOptional(shape.text(64))
  document_type?: string;

  @ApiPropertyOptional(shape.text(64))
  document_number?: string;

  @ApiPropertyOptional({ ...shape.text(64), description: 'ISO 3166-1 alpha-2.' })
  country_code?: string;

  @ApiPropertyOptional({ type: 'number' })
  amount?: number;

  @ApiPropertyOptional({ ...shape.text(64), description: 'ISO 4217.' })
  currency?: string;
}
