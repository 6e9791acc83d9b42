import { ApiOptional } from '@constancia/http';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { Equals, IsBoolean, IsIn, IsObject, IsString, ValidateNested } from 'class-validator';
import { VALUE_LIMITS } from '../signer-requests/field-values.ts';
import { MARK_LIMITS } from './signature-mark.ts';

/** Values at their limits, every character written as an escaped surrogate pair, and a picture. */
export const SIGN_BODY_BYTES = 6 * 1024 * 1024;

export class SignatureBody {
  @ApiProperty()
  @IsIn(['typed', 'drawn'])
  type: 'typed' | 'drawn';

  @ApiOptional({
    minLength: 1,
    maxLength: MARK_LIMITS.characters,
    description: 'Of a typed signature: the name.',
  })
  @IsString()
  text?: string;

  @ApiOptional({
    maxLength: MARK_LIMITS.imageCharacters,
    description:
      'Of a drawn signature: a PNG of at most 200 KB, as base64 or as a data URL. A transparent background looks best.',
  })
  @IsString()
  image?: string;
}

export class SignBody {
  @ApiProperty()
  @IsObject()
  @ValidateNested()
  @Type(() => SignatureBody)
  signature: SignatureBody;

  @ApiOptional({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string', maxLength: VALUE_LIMITS.characters }, { type: 'boolean' }] },
    description:
      "By the keys of the signer's own fields, without its signatures: true or false for a checkbox, YYYY-MM-DD for a date, else a " +
      'text. A name or date that is left out is filled in.',
    example: { accepts_terms: true, city: 'Bogotá' },
  })
  @IsObject()
  fields?: Record<string, unknown>;

  @ApiProperty({ description: 'That this is meant as a signature.' })
  @IsBoolean()
  @Equals(true, { message: 'must be true: that this is meant as a signature' })
  intent: boolean;
}
