import { CONSENT_CLAIMS, type ConsentClaim, PRESENTATION_SECONDS, shape } from '@constancia/contracts';
import { ApiOptional, IsMailedText, IsMetadata, METADATA } from '@constancia/http';
import { DOCUMENT_TYPES, type DocumentType } from '@constancia/reference-data';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, Equals, IsArray, IsIn, IsInt, IsString, Length, Matches, Max, MaxLength, Min, MinLength } from 'class-validator'; // prettier-ignore
import { PRESENTATION_CHANNELS, type PresentationChannel } from './presentation.entity.ts';

export const PURPOSE = { least: 4, most: 140 } as const;
/** How old a verification may be, unless it is said. */
export const MAX_AGE_DAYS = 365;
const METADATA_BYTES = 2_048;
const PURPOSE_TEXT = 'Why you ask, as the person reads it: a few words in their language.';
const CLAIMS_TEXT =
  'What you ask for, in addition to type and country of the document. The person gives all or nothing.';

export class DiscoverBody {
  @ApiProperty()
  @IsIn(DOCUMENT_TYPES)
  document_type: DocumentType;

  @ApiProperty({ description: 'Checked by its type and country. Not stored.', example: '1098765432' })
  @IsString()
  @MaxLength(64)
  document_number: string;

  @ApiProperty({ description: 'ISO 3166-1 alpha-2: who issued the document.', example: 'CO' })
  @IsString()
  @Matches(/^[A-Z]{2}$/, { message: 'Use the two capital letters of ISO 3166-1 alpha-2.' })
  country: string;

  @ApiProperty({ description: PURPOSE_TEXT, example: 'Abrir su cuenta de ahorros' })
  @IsString()
  @MinLength(PURPOSE.least)
  @MaxLength(PURPOSE.most)
  @IsMailedText()
  purpose: string;

  @ApiOptional({ default: MAX_AGE_DAYS, description: 'How old the verification may be.' })
  @IsInt()
  @Min(1)
  @Max(1_825)
  max_age_days?: number;

  @ApiOptional({ description: CLAIMS_TEXT, example: ['full_name'] })
  @IsArray()
  @ArrayMaxSize(CONSENT_CLAIMS.length)
  @ArrayUnique()
  @IsIn(CONSENT_CLAIMS, { each: true })
  claims?: ConsentClaim[];
}

export class RequestPresentationBody {
  @ApiOptional({ description: 'Whom you ask, as discover answered it. Or `wallet_hint`.' })
  @IsString()
  @Matches(new RegExp(shape.id('wdi').pattern))
  discovery_id?: string;

  @ApiOptional({ description: 'You ask the person who opens the link: channels redirect and qr.' })
  @Equals('qr')
  wallet_hint?: 'qr';

  @ApiProperty({
    description:
      'registered_contact: a mail to the address of the wallet, needs `discovery_id`. redirect, qr: `consent_url`, which you show.',
  })
  @IsIn(PRESENTATION_CHANNELS)
  channel: PresentationChannel;

  @ApiOptional({
    description: `${PURPOSE_TEXT} Left out: that of the discovery.`,
    example: 'Abrir su cuenta de ahorros',
  })
  @IsString()
  @MinLength(PURPOSE.least)
  @MaxLength(PURPOSE.most)
  @IsMailedText()
  purpose?: string;

  @ApiOptional({ description: `${CLAIMS_TEXT} Left out: that of the discovery.` })
  @IsArray()
  @ArrayMaxSize(CONSENT_CLAIMS.length)
  @ArrayUnique()
  @IsIn(CONSENT_CLAIMS, { each: true })
  claims?: ConsentClaim[];

  @ApiOptional({
    default: MAX_AGE_DAYS,
    description: 'How old the verification may be. Left out: that of the discovery.',
  })
  @IsInt()
  @Min(1)
  @Max(1_825)
  max_age_days?: number;

  @ApiOptional({
    description:
      'Where the page leads the person at the end. Its origin must be registered (PUT /v1/billing/return-origins). Nothing is added to it.',
    example: 'https://app.example.com/onboarding/done',
  })
  @IsString()
  @MaxLength(2_000)
  @Matches(/^https?:\/\/[^\s@\\]+$/)
  return_url?: string;

  @ApiOptional({ default: PRESENTATION_SECONDS, description: 'How long the person has, in seconds.' })
  @IsInt()
  @Min(300)
  @Max(PRESENTATION_SECONDS)
  ttl_s?: number;

  @ApiOptional({
    description: 'Your own reference of the customer: the same reference, the same subject. Put no personal data here.',
    example: 'customer-417',
  })
  @IsString()
  @Length(1, 200)
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
