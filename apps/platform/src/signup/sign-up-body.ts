import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';

export const PLANS = ['sandbox', 'standard'] as const;
export type Plan = (typeof PLANS)[number];

export const SLUG = /^[a-z0-9](-?[a-z0-9]){1,39}$/;

/** No control characters and no line breaks: the name is shown in mails and on the signer's page. */
export const PLAIN_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class SignUpBody {
  @ApiProperty({
    enum: PLANS,
    description: '`sandbox` in a sandbox deployment (1,000 simulated credits), `standard` in production (0 credits).',
    example: 'sandbox',
  })
  @IsIn(PLANS)
  plan: Plan;

  @ApiProperty({
    pattern: SLUG.source,
    minLength: 2,
    maxLength: 79,
    description: 'Unique name of the tenant: lower-case letters and digits, single hyphens between them.',
    example: 'notaria-quinta',
  })
  @IsString()
  @Matches(SLUG, { message: 'must be 2 to 40 lower-case letters or digits, with single hyphens between them' })
  slug: string;

  @ApiProperty({ minLength: 1, maxLength: 120, example: 'Notaría Quinta de Medellín' })
  @Transform(trimmed)
  @IsString()
  @Length(1, 120)
  @Matches(PLAIN_LINE, { message: 'must be one line without control characters' })
  display_name: string;

  @ApiProperty({
    format: 'email',
    maxLength: 254,
    description: 'Receives key recovery mails and notices about webhook endpoints.',
    example: 'tecnologia@notaria.example',
  })
  @IsEmail({ blacklisted_chars: '"' }) // a quoted local part may hold anything
  @MaxLength(254)
  owner_email: string;
}
