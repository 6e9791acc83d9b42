import { PERSON_LOCALES, type PersonLocale } from '@constancia/contracts';
import { ApiOptional } from '@constancia/http';
import { DOCUMENT_TYPES, type DocumentType } from '@constancia/reference-data';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsEmail, IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';
import { DEFAULT_CODE, DEFAULT_TYPE } from '../flows/default-flow.ts';
import { CODE_HELP, FLOW_CODE } from '../flows/list-flows.ts';

/** What a session is opened with. */
export class OpenSessionBody {
  @ApiOptional({ default: DEFAULT_TYPE })
  @IsString()
  @Matches(FLOW_CODE, { message: CODE_HELP })
  type?: string;

  @ApiOptional({ default: DEFAULT_CODE })
  @IsString()
  @Matches(FLOW_CODE, { message: CODE_HELP })
  code?: string;

  @ApiOptional({
    description: 'Your own reference of the customer: the same reference, the same subject. Put no personal data here.',
    example: 'customer-417',
  })
  @IsString()
  @Length(1, 200)
  external_ref?: string;

  @ApiProperty()
  @IsIn(DOCUMENT_TYPES)
  document_type: DocumentType;

  @ApiProperty({ description: 'Checked by its type and country.', example: '1098765432' })
  @IsString()
  @MaxLength(64)
  document_number: string;

  @ApiProperty({ description: 'ISO 3166-1 alpha-2: who issued the document.', example: 'CO' })
  @IsString()
  @Matches(/^[A-Z]{2}$/, { message: 'Use the two capital letters of ISO 3166-1 alpha-2.' })
  country: string;

  @ApiOptional({ maxLength: 254 })
  @IsEmail()
  email?: string;

  @ApiOptional()
  @IsString()
  @Matches(/^\+?[0-9 ()-]{7,20}$/, { message: 'Use 7 to 20 digits, with the country code where there is one.' })
  phone?: string;

  @ApiOptional({
    default: false,
    description: 'The subject takes the flow on our capture page: the answer has `capture_url`.',
  })
  @IsBoolean()
  hosted?: boolean;

  @ApiOptional({
    description:
      'Hosted: where the capture page leads the subject at the end. Its origin must be registered (PUT /v1/billing/return-origins). ' +
      'Nothing is added to it: the outcome comes by webhook or GET.',
    example: 'https://app.example.com/onboarding/done',
  })
  @IsString()
  @MaxLength(2_000)
  @Matches(/^https?:\/\/[^\s@\\]+$/)
  return_url?: string;

  @ApiOptional({
    default: 'es-CO',
    description: 'Hosted: the language that the capture page begins in.',
  })
  @IsIn(PERSON_LOCALES)
  locale?: PersonLocale;
}
