import { SENDER } from '@constancia/contracts';
import { ApiOptional } from '@constancia/http';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsString, Length, Matches, Max,
  Min, ValidateBy, ValidateNested,
} from 'class-validator'; // prettier-ignore
import {
  AUTH_METHODS,
  type AuthMethod,
  DOCUMENT_ACCESS,
  type DocumentAccess,
  FIELD_TYPES,
  type FieldType,
  type IdentityFlow,
} from './circuit.entity.ts';
import { CODE } from '../code.ts';
import { ONE_LINE, ONE_LINE_MESSAGE } from '../one-line.ts';

const ROLE = /^[a-z0-9_-]{1,32}$/;
const FIELD_KEY = /^[A-Za-z0-9_.-]{1,64}$/;
export const DEFINITION_LIMITS = { signers: 20, fields: 200, order: 1_000, label: 200, equals: 200 } as const;

/** Points: what a PDF page measures at most, and a box at the least. */
const COORDINATE = 14_400;
const SMALLEST_BOX = 6;

const isPoints = { allowNaN: false, allowInfinity: false };

/** The flow of a role that names none. */
export const DEFAULT_FLOW: IdentityFlow = { type: 'onboarding', code: 'default' };

export class IdentityFlowBody {
  @ApiOptional({ default: DEFAULT_FLOW.type })
  @IsString()
  @Matches(CODE)
  type?: string;

  @ApiOptional({ default: DEFAULT_FLOW.code })
  @IsString()
  @Matches(CODE)
  code?: string;
}

export class CircuitSignerBody {
  @ApiProperty({ description: 'Names the signer in fields and envelopes.', example: 'buyer' })
  @IsString()
  @Matches(ROLE)
  role: string;

  @ApiProperty({
    maxItems: AUTH_METHODS.length,
    description:
      'What the signer proves before signing, in this order. `otp_sms` and `otp_whatsapp` send a code to the phone of the signer: a role ' +
      'with both is proven by either, as the signer chooses.',
    example: ['otp_email'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(AUTH_METHODS, { each: true })
  auth: AuthMethod[];

  @ApiProperty({
    description: 'Signers of the same order sign in parallel; a higher order waits until the lower ones have signed.',
    example: 1,
  })
  @IsInt()
  @Min(1)
  @Max(DEFINITION_LIMITS.order)
  order: number;

  @ApiOptional({
    type: () => IdentityFlowBody,
    description:
      'The flow of the identity module that a signer with `identity` in `auth` goes through: what is published when the signer begins. ' +
      'Left out: the default flow. Refused without `identity`.',
  })
  @ValidateNested()
  @Type(() => IdentityFlowBody)
  identity_flow?: IdentityFlowBody;
}

export class FieldConditionBody {
  @ApiProperty({ description: 'The key of another field.', example: 'has_guarantor' })
  @IsString()
  @Matches(FIELD_KEY)
  field: string;

  @ApiProperty({
    oneOf: [{ type: 'string', minLength: 1, maxLength: DEFINITION_LIMITS.equals }, { type: 'boolean' }],
    description: 'true or false for a checkbox, YYYY-MM-DD for a date, else the exact text.',
    example: true,
  })
  @ValidateBy({
    name: 'isFieldValue',
    validator: {
      validate: (value) =>
        typeof value === 'boolean' ||
        (typeof value === 'string' && value.trim() !== '' && value.length <= DEFINITION_LIMITS.equals),
      defaultMessage: () => `must be true, false or a text of 1 to ${DEFINITION_LIMITS.equals} characters`,
    },
  })
  equals: string | boolean;
}

export class CircuitFieldBody {
  @ApiProperty({ description: 'Unique in the circuit.', example: 'buyer_signature' })
  @IsString()
  @Matches(FIELD_KEY)
  key: string;

  @ApiProperty({ description: 'Page number, from 1.', example: 1 })
  @IsInt()
  @Min(1)
  @Max(100_000)
  page: number;

  @ApiProperty({
    description: 'Left edge of the box in PDF points, from the left edge of the page as a viewer shows it.',
    example: 72,
  })
  @IsNumber(isPoints)
  @Min(-COORDINATE)
  @Max(COORDINATE)
  x: number;

  @ApiProperty({
    description: 'Lower edge of the box in PDF points, from the lower edge of the page as a viewer shows it.',
    example: 120,
  })
  @IsNumber(isPoints)
  @Min(-COORDINATE)
  @Max(COORDINATE)
  y: number;

  @ApiProperty({
    description: 'A name or date that the signer leaves out is filled in by the service.',
    example: 'signature',
  })
  @IsIn(FIELD_TYPES)
  type: FieldType;

  @ApiProperty({
    description: `The role whose field it is; \`${SENDER}\`: you fill it in when you create the envelope (text, name, date or checkbox).`,
    example: 'buyer',
  })
  @IsString()
  @Matches(ROLE)
  signer: string;

  @ApiOptional({
    description: 'Points. Default: signature and text 180, name 180, date 90, initials 60, checkbox 14.',
    example: 180,
  })
  @IsNumber(isPoints)
  @Min(SMALLEST_BOX)
  @Max(COORDINATE)
  width?: number;

  @ApiOptional({
    description: 'Points. Default: signature 48, initials 32, name, text and date 18, checkbox 14.',
    example: 48,
  })
  @IsNumber(isPoints)
  @Min(SMALLEST_BOX)
  @Max(COORDINATE)
  height?: number;

  @ApiOptional({
    default: true,
    description: 'Whether the signer must fill it in. A signature field is always filled in.',
  })
  @IsBoolean()
  required?: boolean;

  @ApiOptional({
    default: false,
    description:
      'A value that an envelope prefills cannot be changed by the signer. Without one the signer fills the field in.',
  })
  @IsBoolean()
  locked?: boolean;

  @ApiOptional({
    type: () => FieldConditionBody,
    description:
      'The field is shown, required and drawn only while another field of the same signer, of a signer of a lower order or of the ' +
      'sender has this value. A checkbox that is not ticked is false.',
  })
  @ValidateNested()
  @Type(() => FieldConditionBody)
  visible_if?: FieldConditionBody;

  @ApiOptional({ description: 'What the signer reads beside the field.', example: 'Comprador' })
  @IsString()
  @Length(1, DEFINITION_LIMITS.label)
  @Matches(ONE_LINE, { message: ONE_LINE_MESSAGE })
  label?: string;
}

export class DefinitionBody {
  @ApiProperty({ type: () => [CircuitSignerBody] })
  @IsArray()
  @ArrayMaxSize(DEFINITION_LIMITS.signers)
  @ValidateNested({ each: true })
  @Type(() => CircuitSignerBody)
  signers: CircuitSignerBody[];

  @ApiProperty({ type: () => [CircuitFieldBody] })
  @IsArray()
  @ArrayMaxSize(DEFINITION_LIMITS.fields)
  @ValidateNested({ each: true })
  @Type(() => CircuitFieldBody)
  fields: CircuitFieldBody[];

  @ApiOptional({
    default: 'link',
    description:
      'When a signer may look at the document: `link`, with the link alone; `authenticated`, once the signer has proved who it is.',
  })
  @IsIn(DOCUMENT_ACCESS)
  document_access?: DocumentAccess;

  @ApiOptional({
    default: false,
    description:
      'The mail that tells signers that all have signed carries the sealed PDF, when it has at most 10 MB, in addition to the link. Refused ' +
      'with `document_access: authenticated`.',
  })
  @IsBoolean()
  attach_document?: boolean;
}
