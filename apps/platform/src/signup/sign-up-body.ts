import { IsMailedText, Trimmed } from '@constancia/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';
import { type Plan, PLANS, SLUG } from '../tenants/plans.ts';

export class SignUpBody {
  @ApiProperty({
    description: '`sandbox` in a sandbox deployment (1,000 simulated credits), `standard` in production (0 credits).',
    example: 'sandbox',
  })
  @IsIn(PLANS)
  plan: Plan;

  @ApiProperty({
    minLength: 2,
    maxLength: 79,
    description: 'Unique name of the tenant: lower-case letters and digits, single hyphens between them.',
    example: 'notaria-quinta',
  })
  @IsString()
  @Matches(SLUG, { message: 'must be 2 to 40 lower-case letters or digits, with single hyphens between them' })
  slug: string;

  @ApiProperty({
    description: 'One line, without invisible characters; each word in one script.',
    example: 'Notaría Quinta de Medellín',
  })
  @Trimmed()
  @IsString()
  @Length(1, 120)
  @IsMailedText()
  display_name: string;

  @ApiProperty({
    description: 'Receives a token that verifies it, key recovery mails and notices about keys and webhook endpoints.',
    example: 'tecnologia@notaria.example',
  })
  @IsEmail({ blacklisted_chars: '"' }) // a quoted local part may hold anything
  @MaxLength(254)
  owner_email: string;
}
