import { shape } from '@constancia/contracts';
import { ApiOptional, ExternalRef, IsMailedText, Metadata } from '@constancia/http';
import { MAIL_ADDRESS } from '@constancia/mail';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize, IsArray, IsBoolean, IsEmail, IsIn, IsInt, IsObject, IsString, Length, Matches, Max, MaxLength, Min,
  ValidateNested,
} from 'class-validator'; // prettier-ignore
import { CIRCUIT_ID_EXAMPLE } from '../circuits/circuit-view.ts';
import { DEFINITION_LIMITS } from '../circuits/definition-body.ts';
import { ONE_LINE, ONE_LINE_MESSAGE } from '../one-line.ts';
import { RemindersBody } from '../envelope-records/reminders.ts';
import { VALUE_LIMITS } from '../signer-requests/field-values.ts';
import { ENVELOPE_LOCALES, type EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

export const ENVELOPE_LIMITS = {
  name: 120,
  email: 254,
  phone: 16,
  subject: 150,
  message: 2_000,
  accessCode: { shortest: 4, longest: 64 },
  days: { fewest: 1, most: 365, default: 30 },
} as const;

export class EnvelopeSignerBody {
  @ApiProperty({ ...shape.role, description: 'A role of the circuit; each of them once.', example: 'buyer' })
  @IsString()
  role: string;

  @ApiProperty({ example: 'ana@correo.example' })
  @IsString()
  @MaxLength(ENVELOPE_LIMITS.email)
  @IsEmail({ blacklisted_chars: '"' }) // a quoted local part may hold anything
  @Matches(MAIL_ADDRESS, { message: 'must be one mail address' })
  email: string;

  @ApiOptional({
    pattern: shape.phone.pattern,
    description:
      'Where codes go: needed when the role is authenticated by otp_sms or otp_whatsapp, else refused. E.164: a plus sign, the country ' +
      'code and the number. Of Colombia a mobile number; premium numbers, and countries that the deployment does not serve, are refused.',
    example: '+573001234567',
  })
  @IsString()
  @MaxLength(ENVELOPE_LIMITS.phone)
  phone?: string;

  @ApiOptional({ example: 'Ana María Ñungo' })
  @IsString()
  @Length(1, ENVELOPE_LIMITS.name)
  @IsMailedText()
  name?: string;

  @ApiOptional({
    description:
      'Needed when the role is authenticated by access_code, else refused. Kept hashed: tell it to the signer yourself, and not by mail.',
    example: 'ceiba-2026',
  })
  @IsString()
  @Length(ENVELOPE_LIMITS.accessCode.shortest, ENVELOPE_LIMITS.accessCode.longest)
  @Matches(ONE_LINE, { message: ONE_LINE_MESSAGE })
  access_code?: string;
}

export class CreateEnvelopeBody {
  @ApiProperty({ ...shape.id('cir'), description: 'A published circuit.', example: CIRCUIT_ID_EXAMPLE })
  @IsString()
  circuit_id: string;

  @ApiProperty({ type: () => [EnvelopeSignerBody], description: 'Every role of the circuit, once.' })
  @IsArray()
  @ArrayMaxSize(DEFINITION_LIMITS.signers)
  @ValidateNested({ each: true })
  @Type(() => EnvelopeSignerBody)
  signers: EnvelopeSignerBody[];

  @ApiOptional({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string', maxLength: VALUE_LIMITS.characters }, { type: 'boolean' }] },
    maxProperties: DEFINITION_LIMITS.fields,
    description:
      "By the keys of the circuit's fields: the values of the sender's own fields, and values that prefill fields of signers. A signer may " +
      'change a prefilled value unless the field is `locked`. Signatures, and checkboxes that must be ticked, cannot be prefilled. Kept ' +
      'encrypted, and erased once the document is sealed.',
    example: { amount: '$ 1.250.000', city: 'Bogotá' },
  })
  @IsObject()
  values?: Record<string, unknown>;

  @ApiOptional({
    description: "What signers read as the document's title; the name of the circuit when left out.",
    example: 'Compraventa del apartamento 301',
  })
  @IsString()
  @Length(1, ENVELOPE_LIMITS.subject)
  @IsMailedText()
  subject?: string;

  @ApiOptional({
    description: 'Your words to the signers, in their invitations and on their page. Line ends are kept.',
    example: 'Por favor firme antes del viernes.',
  })
  @IsString()
  @Length(1, ENVELOPE_LIMITS.message)
  @IsMailedText({ lines: true })
  message?: string;

  @ApiOptional({ default: ENVELOPE_LIMITS.days.default })
  @IsInt()
  @Min(ENVELOPE_LIMITS.days.fewest)
  @Max(ENVELOPE_LIMITS.days.most)
  expires_in_days?: number;

  @ApiOptional({
    default: true,
    description: 'false: the service writes to nobody but those who ask for a code; you hand out the links.',
  })
  @IsBoolean()
  notify?: boolean;

  @ApiOptional({
    type: () => RemindersBody,
    description: 'Mails signers again who have not signed; none when left out. Refused with `notify: false`.',
  })
  @ValidateNested()
  @Type(() => RemindersBody)
  reminders?: RemindersBody;

  @ApiOptional({ default: 'es-CO', description: 'The language of mails and of the certificate of completion.' })
  @IsIn(ENVELOPE_LOCALES)
  locale?: EnvelopeLocale;

  @ExternalRef()
  external_ref?: string;

  @Metadata()
  metadata?: Record<string, string>;
}
