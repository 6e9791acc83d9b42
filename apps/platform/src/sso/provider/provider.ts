import { TargetRefused } from '@constancia/events';
import { SecretBox } from '@constancia/kernel';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as client from 'openid-client';
import { PROVIDER_TIMEOUT_MS, ProviderFetch } from './provider-fetch.ts';
import { checkedMetadata, clientAuthenticationOf } from './provider-metadata.ts';
import { ProviderProblem } from './provider-problem.ts';
import { withUserInfo } from '../account.ts';
import { ssoSecretContext } from '../sso-secret.ts';
import type { Sso } from '../sso.entity.ts';

/** How long a provider's discovery document is believed. */
const METADATA_MS = 5 * 60_000;
const MAX_PROVIDERS = 500;
const SCOPE = 'openid email profile';

/** What one sign-in is bound to. */
export interface Binding {
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The provider could not be asked: nothing is wrong with what the browser brought. */
export class ProviderUnavailable extends Error {}

/** OpenID providers of tenants, through openid-client: authorization code flow with PKCE, signed ID tokens. */
@Injectable()
export class Provider {
  private readonly known = new LRUCache<string, Promise<client.Configuration>>({
    max: MAX_PROVIDERS,
    ttl: METADATA_MS,
  });

  constructor(
    private readonly calls: ProviderFetch,
    private readonly secrets: SecretBox,
  ) {}

  /** Reads the discovery document and checks it. Throws ProviderProblem. */
  async discover(issuer: string, clientId: string, clientSecret: string): Promise<client.Configuration> {
    const { fetch, policy } = this.calls;
    const extensions = policy.allowLoopback ? [client.allowInsecureRequests] : [];
    let found: client.ServerMetadata;
    try {
      const discovered = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
        algorithm: 'oidc',
        timeout: PROVIDER_TIMEOUT_MS / 1_000,
        execute: extensions,
        [client.customFetch]: fetch,
      });
      found = discovered.serverMetadata();
    } catch (error) {
      throw problemOf(error);
    }
    const metadata = checkedMetadata(found, issuer, policy);
    const authentication =
      clientAuthenticationOf(metadata) === 'client_secret_basic'
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret);
    const configuration = new client.Configuration(metadata, clientId, undefined, authentication);
    configuration[client.customFetch] = fetch;
    configuration.timeout = PROVIDER_TIMEOUT_MS / 1_000;
    for (const extend of [...extensions, client.enableNonRepudiationChecks]) extend(configuration);
    return configuration;
  }

  /** Where the browser is sent. Throws ProviderUnavailable. */
  async authorizationUrl(sso: Sso, { redirectUri, state, nonce, codeVerifier }: Binding): Promise<string> {
    const configuration = await this.configurationOf(sso);
    const { scopes_supported } = configuration.serverMetadata();
    const more = sso.role_claim !== null && scopes_supported?.includes(sso.role_claim) ? ` ${sso.role_claim}` : '';
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: `${SCOPE}${more}`,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /**
   * The claims of who signed in: of the ID token, whose signature, issuer, audience, nonce and time are checked, and for what it lacks of the
   * UserInfo endpoint. Throws ProviderUnavailable, and errors of openid-client for an answer that is not what it must be.
   */
  async claimsOf(sso: Sso, query: string, binding: Binding): Promise<Record<string, unknown>> {
    const configuration = await this.configurationOf(sso);
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(`${binding.redirectUri}?${query}`), {
        expectedState: binding.state,
        expectedNonce: binding.nonce,
        pkceCodeVerifier: binding.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims() as client.IDToken;
      const complete = ['email', 'email_verified', ...(sso.role_claim ? [sso.role_claim] : [])].every(
        (name) => claims[name] !== undefined,
      );
      if (complete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      return withUserInfo(claims, await client.fetchUserInfo(configuration, tokens.access_token, claims.sub));
    } catch (error) {
      if (isUnavailable(error)) throw new ProviderUnavailable('the provider did not answer', { cause: error });
      throw error;
    }
  }

  private async configurationOf({
    tenant_id,
    version,
    issuer,
    client_id,
    client_secret,
  }: Sso): Promise<client.Configuration> {
    const known = this.known.get(version);
    if (known !== undefined) return known;
    const secret = this.secrets.open(client_secret, ssoSecretContext(tenant_id)).toString('utf8');
    const asked = this.discover(issuer, client_id, secret);
    this.known.set(version, asked);
    try {
      return await asked;
    } catch (error) {
      this.known.delete(version);
      throw new ProviderUnavailable('the provider cannot be used', { cause: error });
    }
  }
}

/** Time-outs, refused connections, 5xx: errors that are not an answer. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof client.ClientError) {
    if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT' || error.code === undefined) return true;
    return error.cause instanceof Response && error.cause.status >= 500;
  }
  return error instanceof client.ResponseBodyError ? error.status >= 500 : error instanceof TargetRefused;
}

function problemOf(error: unknown): ProviderProblem {
  const cause = error instanceof client.ClientError ? error.cause : error;
  if (cause instanceof TargetRefused) return new ProviderProblem('address_refused', cause.message);
  if (error instanceof client.ClientError) {
    if (error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
      return new ProviderProblem('issuer_mismatch', 'The discovery document names another issuer than the one given.');
    }
    if (error.code !== undefined && !error.code.startsWith('OAUTH_TIMEOUT') && !error.code.startsWith('OAUTH_ABORT')) {
      return new ProviderProblem(
        'no_discovery',
        'There is no OpenID discovery document at the issuer: /.well-known/openid-configuration must answer 200 with JSON.',
      );
    }
  }
  return new ProviderProblem('provider_unreachable', 'The issuer did not answer within 5 seconds, or not at all.');
}
