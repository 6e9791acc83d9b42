import { ROLES } from '@constancia/contracts';
import { ApiOptional, Trimmed } from '@constancia/http';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import type { RoleMap } from './sso.entity.ts';

const MAX_GROUPS = 100;
const MAX_GROUP_LENGTH = 200;
const MAPPED_ROLES: readonly string[] = ROLES.filter((role) => role !== 'owner');
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** Printable ASCII: what a header and an OAuth parameter can carry. */
const PRINTABLE = /^[\x20-\x7e]+$/;

const ROLE_MAP_RULE = `must be an object of 1 to ${MAX_GROUPS} groups (of at most ${MAX_GROUP_LENGTH} characters), each with a role: ${MAPPED_ROLES.join(', ')}`;

function isRoleMap(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.length <= MAX_GROUPS &&
    entries.every(
      ([group, role]) =>
        group.length <= MAX_GROUP_LENGTH && !group.includes('\0') && MAPPED_ROLES.includes(role as string),
    )
  );
}

const IsRoleMap = (): PropertyDecorator =>
  ValidateBy({ name: 'isRoleMap', validator: { validate: isRoleMap, defaultMessage: () => ROLE_MAP_RULE } });

export class SsoBody {
  @ApiProperty({
    description: 'The issuer exactly as the provider’s discovery document names it.',
    example: 'https://login.notaria.example/realms/empleados',
  })
  @IsString()
  @MaxLength(512)
  @Matches(/^https?:\/\/\S+$/, { message: 'must be the address of an issuer' })
  issuer: string;

  @ApiProperty({ description: 'The id of the client that you registered there for Constancia.', example: 'constancia' })
  @Trimmed()
  @IsString()
  @Length(1, 255)
  @Matches(PRINTABLE, { message: 'must be printable ASCII characters' })
  client_id: string;

  @ApiOptional({
    description: 'Its secret. Left out: the stored one stays, if issuer and client_id stay. No answer shows it.',
    example: 'a-secret-of-the-provider',
  })
  @IsString()
  @Length(1, 1_024)
  @Matches(PRINTABLE, { message: 'must be printable ASCII characters' })
  client_secret?: string;

  @ApiProperty({
    type: [String],
    description:
      'Domains of the mail addresses that the provider may sign in, in lower case. Subdomains are not included.',
    example: ['notaria.example'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(253, { each: true })
  @Matches(DOMAIN, { each: true, message: 'each must be a domain in lower case, such as notaria.example' })
  domains: string[];

  @ApiOptional({
    description: 'The claim with the groups of a person: a text, or a list of texts. Together with `role_map`.',
    example: 'groups',
  })
  @IsString()
  @Length(1, 200)
  @Matches(PRINTABLE, { message: 'must be printable ASCII characters' })
  role_claim?: string;

  @ApiOptional({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...MAPPED_ROLES] },
    minProperties: 1,
    maxProperties: MAX_GROUPS,
    description:
      'The role of each group, set at every sign-in; a person with several gets the first of admin, supervisor, analyst, developer, ' +
      'sender, billing, auditor, one with none is refused. Never `owner`; owners keep their role. Left out: only invited members sign in.',
    example: { 'constancia-analysts': 'analyst', 'constancia-auditors': 'auditor' },
  })
  @IsRoleMap()
  role_map?: RoleMap;

  @ApiProperty({
    description:
      'Whether members have to sign in this way: the same setting as `required_method: sso` of PUT /v1/sign-in-settings. Owners may always ' +
      'use another method, of which the other owners are notified.',
    example: false,
  })
  @IsBoolean()
  enforce: boolean;
}
