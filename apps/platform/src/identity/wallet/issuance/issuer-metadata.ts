import { Public } from '@constancia/http';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { TokenKeys } from '../../token-keys/token-keys.ts';
import { MAX_COPIES } from '../credentials/credential-issuer.ts';
import { IDENTITY_CLAIMS, IDENTITY_VCT, type IdentityClaim } from '../credentials/identity-claims.ts';
import { IDENTITY_CONFIGURATION, IssuerAddresses, PRE_AUTHORIZED_GRANT } from './issuer-addresses.ts';

const CACHE = 'public, max-age=300';
const SIGNED_WITH = ['ES256'];

/** What wallets show of a claim, in Spanish and English. */
const CLAIM_NAMES: Record<IdentityClaim, [spanish: string, english: string]> = {
  name: ['Nombre', 'Name'],
  birthdate: ['Fecha de nacimiento', 'Date of birth'],
  age_over_18: ['Mayor de 18 años', 'Over 18'],
  document_type: ['Tipo de documento', 'Type of document'],
  document_country: ['País del documento', 'Country of the document'],
  document_number: ['Número de documento', 'Document number'],
  verification_level: ['Qué se verificó', 'What was verified'],
  verified_on: ['Fecha de la verificación', 'Date of the verification'],
  trust_framework: ['Marco de confianza', 'Trust framework'],
};

const shown = ([spanish, english]: [string, string]) => [
  { name: spanish, locale: 'es-CO' },
  { name: english, locale: 'en' },
];

/** What OpenID4VCI, and verifiers of our credentials, look up. */
@Controller('.well-known')
@ApiExcludeController()
@Public()
export class IssuerMetadata {
  constructor(
    private readonly addresses: IssuerAddresses,
    private readonly keys: TokenKeys,
  ) {}

  /** OpenID4VCI, section 12.2. */
  @Get('openid-credential-issuer/v1/oidc')
  @Header('Cache-Control', CACHE)
  issuer(): object {
    const { issuer, authorizationServer, credential, nonce } = this.addresses;
    return {
      credential_issuer: issuer,
      authorization_servers: [authorizationServer],
      credential_endpoint: credential,
      nonce_endpoint: nonce,
      batch_credential_issuance: { batch_size: MAX_COPIES },
      display: shown(['Constancia', 'Constancia']),
      credential_configurations_supported: {
        [IDENTITY_CONFIGURATION]: {
          format: 'dc+sd-jwt',
          vct: IDENTITY_VCT,
          cryptographic_binding_methods_supported: ['jwk'],
          credential_signing_alg_values_supported: SIGNED_WITH,
          proof_types_supported: { jwt: { proof_signing_alg_values_supported: SIGNED_WITH } },
          credential_metadata: {
            display: shown(['Identidad verificada', 'Verified identity']),
            claims: IDENTITY_CLAIMS.map((name) => ({ path: [name], display: shown(CLAIM_NAMES[name]) })),
          },
        },
      },
    };
  }

  /** RFC 8414. */
  @Get('oauth-authorization-server/v1/wallet/issuance')
  @Header('Cache-Control', CACHE)
  authorizationServer(): object {
    return {
      issuer: this.addresses.authorizationServer,
      token_endpoint: this.addresses.token,
      grant_types_supported: [PRE_AUTHORIZED_GRANT],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['none'],
      'pre-authorized_grant_anonymous_access_supported': true,
    };
  }

  /** The public keys of credentials and of status lists (SD-JWT VC, section 5). */
  @Get('jwt-vc-issuer/v1/oidc')
  @Header('Cache-Control', CACHE)
  async jwtIssuer(): Promise<object> {
    const sets = await Promise.all([this.keys.publicKeys('credential'), this.keys.publicKeys('status_list')]);
    return { issuer: this.addresses.issuer, jwks: { keys: sets.flat() } };
  }
}
