import { parseCidr } from '@constancia/auth';
import { type Scope, SCOPES, shape } from '@constancia/contracts';
import { ApiOptional, IsInstant, IsMailedText, IsMetadata, METADATA } from '@constancia/http';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsString, Length, ValidateBy, ValidateIf,
} from 'class-validator'; // prettier-ignore

/** A member that may be left out or null. */
const isGiven = (_: object, value: unknown): boolean => value !== null && value !== undefined;

const MOST_NETWORKS = 50;

/** A network in CIDR notation, or an address. */
function IsCidr(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isCidr',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && parseCidr(value) !== null,
        defaultMessage: () => 'must be networks in CIDR notation (192.0.2.0/24, 2001:db8::/32) or addresses',
      },
    },
    { each: true },
  );
}

const NETWORKS = {
  type: 'array',
  nullable: true,
  items: { type: 'string', ...shape.text(49) },
  description: 'Where the key is accepted from: networks in CIDR notation, or addresses. Null: everywhere.',
  example: ['192.0.2.0/24', '2001:db8::/32'],
} as const;
const NAME = { description: 'For people: shown in lists, mails and the audit log.', example: 'ERP, read only' };
const EXPIRY = {
  type: String,
  nullable: true,
  description: 'When it stops working: a date-time in the future, or a date (its beginning, UTC). Null: never.',
};
const SCOPES_OF = {
  description: 'What the key may do. Only scopes that you hold yourself: 403 names one that you do not.',
  example: ['signing:read'],
};

export class NewApiKeyBody {
  @ApiProperty(NAME)
  @IsString()
  @Length(1, 100)
  @IsMailedText()
  name: string;

  @ApiProperty(SCOPES_OF)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes: Scope[];

  @ApiPropertyOptional(NETWORKS)
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_NETWORKS)
  @IsCidr()
  allowed_cidrs?: string[] | null;

  @ApiPropertyOptional(EXPIRY)
  @ValidateIf(isGiven)
  @IsInstant()
  expires_at?: string | null;

  @ApiOptional({ description: 'Your own reference; lists are filtered by it. Put no personal data here.' })
  @IsString()
  @Length(1, 200)
  external_ref?: string;

  @ApiOptional({
    type: 'object',
    additionalProperties: { type: 'string', ...shape.text(METADATA.valueLength) },
    maxProperties: METADATA.members,
    description: `Up to ${METADATA.members} texts of your own. Put no personal data here.`,
    example: { team: 'treasury' },
  })
  @IsMetadata({ minLength: 1 })
  metadata?: Record<string, string>;
}

/** What is left out stays as it is. */
export class ApiKeyChangesBody {
  @ApiOptional(NAME)
  @IsString()
  @Length(1, 100)
  @IsMailedText()
  name?: string;

  @ApiOptional(SCOPES_OF)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[];

  @ApiPropertyOptional(NETWORKS)
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_NETWORKS)
  @IsCidr()
  allowed_cidrs?: string[] | null;

  @ApiPropertyOptional(EXPIRY)
  @ValidateIf(isGiven)
  @IsInstant()
  expires_at?: string | null;
}
