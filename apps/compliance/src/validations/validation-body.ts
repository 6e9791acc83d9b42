import { ApiOptional } from '@constancia/http';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';

/** Codes that screenings, flows and rules name things by. */
export const CODE = /^[a-z0-9_-]{1,64}$/;
export const DEFAULT_CODE = 'default';

/** A member that names a code and may be left out. */
export function IsOptionalCode(): PropertyDecorator {
  const message = 'Use 1 to 64 lower-case letters, digits, hyphens and underscores.';
  return applyDecorators(IsOptional(), IsString(), Matches(CODE, { message }));
}

export class CreateValidationBody {
  @ApiPropertyOptional({ default: DEFAULT_CODE, example: DEFAULT_CODE })
  @IsOptionalCode()
  code?: string;

  @ApiOptional({ description: 'The code, by default.', example: 'SARLAFT personas' })
  @IsString()
  @Length(1, 120)
  name?: string;

  @ApiOptional({ example: 'Vinculación de clientes.' })
  @IsString()
  @MaxLength(2000)
  description?: string;
}

/** What of a draft can be changed besides its rules; what is left out stays. */
export class ChangeValidationBody {
  @ApiOptional({ example: 'SARLAFT personas' })
  @IsString()
  @Length(1, 120)
  name?: string;

  @ApiOptional({ description: 'Empty removes it.', example: 'Vinculación de clientes.' })
  @IsString()
  @MaxLength(2000)
  description?: string;
}
