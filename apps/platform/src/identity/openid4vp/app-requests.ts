import { createHash, generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { hashSecret } from '@constancia/auth';
import type { ConsentClaim } from '@constancia/contracts';
import { SecretBox } from '@constancia/kernel';
import type { JsonObject } from '@constancia/signed-jwt';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { appKeyContext } from '../presentations/app-key-context.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { type CertifiedSigner, TokenKeys } from '../token-keys/token-keys.ts';
import { IDENTITY_VCT } from '../wallet/credentials/identity-claims.ts';
import { credentialClaimNames } from './credential-claim-names.ts';

/** The header's typ of a signed request (RFC 9101, section 10.8). */
const REQUEST_TYP = 'oauth-authz-req+jwt';
/** Whom a request is for that is not addressed to a known wallet (OpenID4VP 1.0, section 5.8). */
const ANY_WALLET = 'https://self-issued.me/v2';
/** What an answer is encrypted with. */
export const RESPONSE_ENCRYPTION = { alg: 'ECDH-ES', enc: ['A128GCM', 'A256GCM'] };
/** The name of what is asked for, in requests and answers. */
export const CREDENTIAL_QUERY = 'identity';

const newKeyPair = promisify(generateKeyPair);

type Asked = Pick<Presentation, 'id' | 'tenant_name' | 'purpose' | 'claims' | 'expires_at'>;

/** What a row keeps of a request to wallet apps. */
export type AppRequest = Pick<Presentation, 'app_token_hash' | 'app_request' | 'app_key_sealed'>;

/**
 * Requests of OpenID4VP 1.0 for credentials of ours: signed by a key whose certificate names us, for an encrypted answer that is posted to us
 * (`direct_post.jwt`). A request is signed once, when it is made.
 */
@Injectable()
export class AppRequests {
  constructor(
    private readonly config: PlatformConfig,
    private readonly keys: TokenKeys,
    private readonly secrets: SecretBox,
  ) {}

  /** What signs requests. Asks KMS: not within a transaction. Throws DependencyUnavailable. */
  signer(): Promise<CertifiedSigner> {
    return this.keys.certified('presentation_request');
  }

  /** The request, and its address for a link or a QR code. */
  async create(
    { sign, certificate }: CertifiedSigner,
    { id, tenant_name, purpose, claims, expires_at }: Asked,
  ): Promise<{ uri: string; row: AppRequest }> {
    const clientId = `x509_hash:${createHash('sha256').update(certificate).digest('base64url')}`;
    const token = randomBytes(32).toString('base64url');
    const { publicKey, privateKey } = await newKeyPair('ec', { namedCurve: 'prime256v1' });
    const request: JsonObject = {
      client_id: clientId,
      aud: ANY_WALLET,
      response_type: 'vp_token',
      response_mode: 'direct_post.jwt',
      response_uri: `${this.addressOf(token)}/response`,
      nonce: randomBytes(32).toString('base64url'),
      dcql_query: queryFor(claims),
      client_metadata: {
        client_name: tenant_name,
        vp_formats_supported: { 'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'], 'kb-jwt_alg_values': ['ES256'] } },
        encrypted_response_enc_values_supported: RESPONSE_ENCRYPTION.enc,
        jwks: {
          keys: [
            {
              ...(publicKey.export({ format: 'jwk' }) as JsonObject),
              kid: id,
              use: 'enc',
              alg: RESPONSE_ENCRYPTION.alg,
            },
          ],
        },
      },
      purpose,
      iat: Math.floor(Date.now() / 1_000),
      exp: Math.floor(expires_at.getTime() / 1_000),
    };
    const bytes = privateKey.export({ format: 'der', type: 'pkcs8' });
    return {
      uri: `openid4vp://?${new URLSearchParams({ client_id: clientId, request_uri: `${this.addressOf(token)}/request-object` })}`,
      row: {
        app_token_hash: hashSecret(token),
        app_request: await sign(REQUEST_TYP, request),
        app_key_sealed: this.secrets.seal(bytes, appKeyContext(id)),
      },
    };
  }

  private addressOf(token: string): string {
    return `${this.config.apiUrl}/v1/wallet/openid4vp/${token}`;
  }
}

/** DCQL (OpenID4VP 1.0, section 6): one credential of ours, with what the tenant asked for. */
function queryFor(claims: readonly ConsentClaim[]): JsonObject {
  const paths = credentialClaimNames(claims).map((name) => ({ path: [name] }));
  return {
    credentials: [{ id: CREDENTIAL_QUERY, format: 'dc+sd-jwt', meta: { vct_values: [IDENTITY_VCT] }, claims: paths }],
  };
}
