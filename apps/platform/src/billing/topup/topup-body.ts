import { shape } from '@constancia/contracts';
import { ApiOptional, IsMetadata, METADATA } from '@constancia/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

export const MIN_AMOUNT_COP = 20_000;
export const MAX_AMOUNT_COP = 50_000_000;
const METADATA_BYTES = 2_048;

export class TopupBody {
  @ApiProperty({ description: 'What the payer pays, in whole pesos.', example: 100_000 })
  @IsInt()
  @Min(MIN_AMOUNT_COP)
  @Max(MAX_AMOUNT_COP)
  amount_cop: number;

  @ApiOptional({ description: 'Code of a bundle (GET /v1/billing/bundles).', example: 'plus' })
  @IsString()
  @Matches(/^[a-z0-9_-]{1,32}$/)
  bundle?: string;

  @ApiOptional({
    description:
      'Where the payer goes afterwards, with `status` and `topup_id` added. Its origin must be registered (PUT /v1/billing/return-origins).',
    example: 'https://app.example.com/billing',
  })
  @IsString()
  @MaxLength(2_000)
  @Matches(/^https?:\/\/[^\s@\\]+$/)
  return_url?: string;

  @ApiOptional({ description: 'Your reference, included in answers and events. Put no personal data here.' })
  @IsString()
  @MaxLength(200)
  @Matches(new RegExp(shape.text(200).pattern))
  external_ref?: string;

  @ApiOptional({
    type: 'object',
    additionalProperties: { type: 'string', ...shape.text(METADATA.valueLength) },
    maxProperties: METADATA.members,
    description: `Texts of yours, included in answers and events: names up to ${METADATA.nameLength} characters. Put no personal data here.`,
  })
  @IsMetadata({ maxBytes: METADATA_BYTES })
  metadata?: Record<string, string>;
}
