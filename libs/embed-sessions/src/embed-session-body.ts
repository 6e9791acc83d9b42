import {
  COLOR_SCHEMES,
  EMBED_KINDS,
  type EmbedKind,
  type EmbedTheme,
  PERSON_LOCALES,
  type PersonLocale,
  shape,
} from '@constancia/contracts';
import { ApiOptional, IsMetadata, METADATA, ORIGIN_LENGTH } from '@constancia/http';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

export const MOST_ORIGINS = 10;
const TTL_SECONDS = { least: 300, most: 3_600, usual: 1_800 } as const;

@ApiSchema({ name: 'EmbedTheme' })
export class EmbedThemeBody implements EmbedTheme {
  @ApiOptional({ default: 'auto', description: 'auto: as the device prefers.' })
  @IsIn(COLOR_SCHEMES)
  color_scheme?: NonNullable<EmbedTheme['color_scheme']>;
}

/** What an embed session is created with. */
export class EmbedSessionBody {
  @ApiProperty({
    description:
      'flow: the capture page of a flow session, on the host of flows. wallet_consent: the page where a person answers a request for their ' +
      'kept verification, on the same host. sign: the page of one signer of an envelope, on the host of envelopes. The other host is named ' +
      'in the answer.',
  })
  @IsIn(EMBED_KINDS, { message: `Must be one of the kinds that exist: ${EMBED_KINDS.join(', ')}.` })
  kind: EmbedKind;

  @ApiProperty({
    description:
      'flow: the flow session, while it is in progress. wallet_consent: the request, of channel redirect or qr, while it is pending. sign: ' +
      'the signer, while there is something to sign.',
    example: 'fls_01jd3v4x5pfqk8a9s7b2m0c1de',
  })
  @IsString()
  @MaxLength(64)
  target_id: string;

  @ApiProperty({
    type: [String],
    example: ['https://app.example.com'],
    description:
      'The exact origins whose pages may hold the frame. Each must be registered (PUT /tenants/{id}/embed-origins).',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_ORIGINS)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(ORIGIN_LENGTH, { each: true })
  allowed_origins: string[];

  @ApiOptional({
    description:
      'The language that the page begins in. Left out: that of the hosted flow session (es-CO when it is not hosted), of the envelope, or, for a ' +
      'request, of the browser.',
  })
  @IsIn(PERSON_LOCALES)
  locale?: PersonLocale;

  @ApiOptional({ type: EmbedThemeBody, description: 'How the page looks.' })
  @ValidateNested()
  @Type(() => EmbedThemeBody)
  theme?: EmbedThemeBody;

  @ApiOptional({
    default: TTL_SECONDS.usual,
    description: 'Seconds that the token works; that of a request no longer than the request.',
  })
  @IsInt()
  @Min(TTL_SECONDS.least)
  @Max(TTL_SECONDS.most)
  ttl_s?: number;

  @ApiOptional({ description: 'Your reference, included in answers. Put no personal data here.' })
  @IsString()
  @MaxLength(200)
  @Matches(new RegExp(shape.text(200).pattern))
  external_ref?: string;

  @ApiOptional({
    type: 'object',
    additionalProperties: { type: 'string', ...shape.text(METADATA.valueLength) },
    maxProperties: METADATA.members,
    description: `Texts of yours, included in answers: names up to ${METADATA.nameLength} characters. Put no personal data here.`,
  })
  @IsMetadata()
  metadata?: Record<string, string>;
}

export const USUAL_TTL_SECONDS = TTL_SECONDS.usual;
