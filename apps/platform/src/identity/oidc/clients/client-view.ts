import { shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { JWK } from 'jose';
import { NAME_LENGTH } from './client-body.ts';
import { ADDRESS_LENGTH, MAX_ADDRESSES, MAX_KEYS } from './client-rules.ts';
import {
  CLIENT_AUTH_METHODS,
  CLIENT_SCOPES,
  CLIENT_TYPES,
  type ClientAuthMethod,
  type ClientScope,
  type ClientType,
  type OidcClient,
} from './oidc-client.entity.ts';

const ADDRESSES = {
  type: 'array',
  maxItems: MAX_ADDRESSES,
  items: { type: 'string', ...shape.text(ADDRESS_LENGTH) },
} as const;

const SECRET = {
  ...shape.text(64),
  description: 'Shown in this answer only. For client_secret_basic.',
  example: 'ocs_…',
};

@ApiSchema({ name: 'OidcClientKeys' })
export class ClientKeysView {
  @ApiProperty({ type: 'array', maxItems: MAX_KEYS, items: { type: 'object', additionalProperties: true } })
  keys: JWK[];
}

@ApiSchema({ name: 'OidcClient' })
export class OidcClientView {
  @ApiProperty({ ...shape.id('oic'), example: 'oic_01jd8m3x5se9t8qzvwpk4c2d6h' })
  client_id: string;

  @ApiProperty(shape.text(NAME_LENGTH))
  name: string;

  @ApiProperty({ enum: CLIENT_TYPES })
  type: ClientType;

  @ApiProperty({ enum: CLIENT_AUTH_METHODS })
  token_endpoint_auth_method: ClientAuthMethod;

  @ApiProperty({ type: ClientKeysView, nullable: true, description: 'Of private_key_jwt.' })
  jwks: ClientKeysView | null;

  @ApiProperty(ADDRESSES)
  redirect_uris: string[];

  @ApiProperty(ADDRESSES)
  post_logout_redirect_uris: string[];

  @ApiProperty({ enum: CLIENT_SCOPES, isArray: true, maxItems: CLIENT_SCOPES.length })
  scopes: ClientScope[];

  @ApiProperty()
  dpop_required: boolean;

  @ApiProperty()
  par_required: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  static of(row: OidcClient): OidcClientView {
    const { id, name, type, token_endpoint_auth_method, jwks, redirect_uris, post_logout_redirect_uris, scopes } = row;
    return {
      ...{ client_id: typeId('oic', id), name, type, token_endpoint_auth_method, jwks },
      ...{ redirect_uris, post_logout_redirect_uris, scopes },
      ...{ dpop_required: row.dpop_required, par_required: row.par_required },
      ...{ created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() },
    };
  }
}

export class NewOidcClientView extends OidcClientView {
  @ApiPropertyOptional(SECRET)
  client_secret?: string;
}

export class OidcClientPage extends PageOf(OidcClientView) {}

export class OidcClientSecretView {
  @ApiProperty(SECRET)
  client_secret: string;

  @ApiProperty({ format: 'date-time' })
  rotated_at: string;

  @ApiProperty({ format: 'date-time', description: 'Until then the former secret counts, too.' })
  previous_secret_expires_at: string;
}
