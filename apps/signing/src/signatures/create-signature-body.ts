import { ApiOptional, ExternalRef, Metadata } from '@constancia/http';
import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject, IsString, Length } from 'class-validator';
import { TEMPLATE_ID_EXAMPLE } from '../templates/template-view.ts';
import { MERGE_LIMITS } from './merge-data.ts';

export class CreateSignatureBody {
  @ApiProperty({ ...shape.id('tpl'), example: TEMPLATE_ID_EXAMPLE })
  @IsString()
  template_id: string;

  @ApiProperty({
    description: 'Your own reference: kept and returned as it is. Put no personal data here.',
    example: 'loan-2026-00417',
  })
  @IsString()
  @Length(1, 200)
  subject_ref: string;

  @ApiOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MERGE_LIMITS.characters },
    maxProperties: MERGE_LIMITS.keys,
    description:
      'Texts by placeholder key. A key left out stays blank, or is refused where the template requires it; a key that the template does ' +
      'not have is refused.',
    example: { full_name: 'Ana María Ñungo', amount: '$ 1.250.000' },
  })
  @IsObject()
  merge_data?: Record<string, unknown>;

  @ExternalRef()
  external_ref?: string;

  @Metadata()
  metadata?: Record<string, string>;
}
