import { ApiOptional, IsMailedText, Trimmed } from '@constancia/http';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { JWK } from 'jose';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsString,
  Length,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { ADDRESS_LENGTH, MAX_ADDRESSES, MAX_KEYS } from './client-rules.ts';
import {
  CLIENT_AUTH_METHODS,
  CLIENT_SCOPES,
  CLIENT_TYPES,
  type ClientAuthMethod,
  type ClientScope,
  type ClientType,
} from './oidc-client.entity.ts';

export const NAME_LENGTH = 80;

const ADDRESS = { type: 'string', format: 'uri' } as const;
const NAME = {
  description: 'What persons are shown beside the name of your organization. One of a kind.',
  example: 'Banca en línea',
};
const REDIRECT_URIS = {
  type: 'array',
  items: ADDRESS,
  description: 'Where persons are sent back to: compared exactly. https; a sandbox also takes http://localhost.',
  example: ['https://app.example.com/callback'],
} as const;
const LOGOUT_URIS = {
  type: 'array',
  items: ADDRESS,
  description: 'Where persons are sent after they have signed out: the same rules.',
  example: ['https://app.example.com/'],
} as const;
const SCOPES_OF_CLIENT = {
  description:
    'What the client may ask for; `openid` is one of them. `kyc`: the claims of verifications (`verified_claims`), whose first release costs ' +
    'credits. `offline_access`: refresh tokens.',
  example: ['openid', 'profile'],
};
const DPOP_REQUIRED = { description: 'Tokens are given only bound to a key of the client (RFC 9449).' };
const PAR_REQUIRED = { description: 'Requests are taken only when they were pushed (RFC 9126).' };

/** The rules of a member, at a new client and at a change. */
const Name = () => applyDecorators(Trimmed(), IsString(), Length(1, NAME_LENGTH), IsMailedText());
const Addresses = (least: number) =>
  applyDecorators(
    IsArray(),
    ArrayMinSize(least),
    ArrayMaxSize(MAX_ADDRESSES),
    ArrayUnique(),
    IsString({ each: true }),
    MaxLength(ADDRESS_LENGTH, { each: true }),
  );
const Scopes = () =>
  applyDecorators(
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(CLIENT_SCOPES.length),
    ArrayUnique(),
    IsIn(CLIENT_SCOPES, { each: true }),
  );
const Keys = () =>
  applyDecorators(
    ValidateNested(),
    Type(() => ClientKeysBody),
  );

export class ClientKeysBody {
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Public keys as JWK: EC P-256, or RSA.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_KEYS)
  @IsObject({ each: true })
  keys: JWK[];
}

export class NewOidcClientBody {
  @ApiProperty(NAME)
  @Name()
  name: string;

  @ApiProperty({
    description:
      'web: an application on a server, which keeps a secret or a key. spa, native: what runs at the person, which cannot.',
  })
  @IsIn(CLIENT_TYPES)
  type: ClientType;

  @ApiOptional({
    description: 'How it proves who it is. Left out: client_secret_basic for web, none for the others.',
  })
  @IsIn(CLIENT_AUTH_METHODS)
  token_endpoint_auth_method?: ClientAuthMethod;

  @ApiOptional({ type: ClientKeysBody, description: 'For private_key_jwt: nothing is fetched from your hosts.' })
  @Keys()
  jwks?: ClientKeysBody;

  @ApiProperty(REDIRECT_URIS)
  @Addresses(1)
  redirect_uris: string[];

  @ApiOptional(LOGOUT_URIS)
  @Addresses(0)
  post_logout_redirect_uris?: string[];

  @ApiProperty(SCOPES_OF_CLIENT)
  @Scopes()
  scopes: ClientScope[];

  @ApiOptional({ ...DPOP_REQUIRED, default: false })
  @IsBoolean()
  dpop_required?: boolean;

  @ApiOptional({ ...PAR_REQUIRED, default: false })
  @IsBoolean()
  par_required?: boolean;
}

/** What is left out stays as it is. Type and method stay for good. */
export class OidcClientChangesBody {
  @ApiOptional(NAME)
  @Name()
  name?: string;

  @ApiOptional({ type: ClientKeysBody, description: 'Replaces all keys. For private_key_jwt.' })
  @Keys()
  jwks?: ClientKeysBody;

  @ApiOptional(REDIRECT_URIS)
  @Addresses(1)
  redirect_uris?: string[];

  @ApiOptional(LOGOUT_URIS)
  @Addresses(0)
  post_logout_redirect_uris?: string[];

  @ApiOptional(SCOPES_OF_CLIENT)
  @Scopes()
  scopes?: ClientScope[];

  @ApiOptional(DPOP_REQUIRED)
  @IsBoolean()
  dpop_required?: boolean;

  @ApiOptional(PAR_REQUIRED)
  @IsBoolean()
  par_required?: boolean;
}
