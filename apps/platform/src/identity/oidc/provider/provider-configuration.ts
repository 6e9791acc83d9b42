import { createHash, createPublicKey, timingSafeEqual } from 'node:crypto';
import type { JWK } from 'jose';
import {
  type Client,
  type Context,
  type ErrorOut,
  errors,
  ExternalSigningKey,
  interactionPolicy,
  type IssuedToken,
  type Provider,
} from 'oidc-provider';
import { CLIENT_SCOPES } from '../clients/oidc-client.entity.ts';
import { logoutSource, postLogoutSuccessSource } from './logout-pages.ts';
import { recordHash } from '../store/oidc-records.ts';
import { isObject } from './verified-claims.ts';
import { ACR, API_RESOURCE, API_SCOPES, GRANT_CLAIM, INTERACTION_PATH, OIDC_PATH, TTL } from './oidc-issuer.ts';

/** The claims of each scope. */
const CLAIMS = {
  openid: ['sub'],
  profile: ['name', 'birthdate'],
  email: ['email', 'email_verified'],
  kyc: ['verified_claims'],
};
/** Of the sign-in: those that a request names. */
const OF_SIGN_IN = { acr: null, amr: null, auth_time: null, iss: null };

/** A key of the set whose private part only TokenKeys opens. */
class PublishedKey extends ExternalSigningKey {
  constructor(
    private readonly jwk: JWK,
    private readonly signature: (kid: string, bytes: Buffer) => Promise<Buffer>,
  ) {
    super();
    this.kid = jwk.kid as string;
    this.alg = 'ES256';
  }

  override keyObject() {
    return createPublicKey({ key: this.jwk as never, format: 'jwk' });
  }

  override sign(bytes: Buffer): Promise<Buffer> {
    return this.signature(this.kid, bytes);
  }
}

interface Dependencies {
  adapter: (model: string) => unknown;
  findAccount: (context: Context, id: string, token?: IssuedToken) => unknown;
  subject: (id: string, client: Client) => Promise<string>;
  keys: readonly JWK[];
  signature: (kid: string, bytes: Buffer) => Promise<Buffer>;
  cookieKeys: string[];
  /** Path of the issuer. */
  path: string;
  secure: boolean;
  problem: (status: number, out: ErrorOut) => object;
}

/** The claims of verifications are asked for, by the scope or by name. */
export const asksForVerification = ({ oidc }: Context): boolean =>
  oidc.requestParamScopes.has('kyc') ||
  [oidc.claims.userinfo, oidc.claims.id_token].some((claims) => claims?.verified_claims !== undefined);

/** What oidc-provider is configured with: code with PKCE, PAR and DPoP, pairwise subjects, nothing fetched from anywhere. */
export function providerConfiguration(given: Dependencies): Record<string, unknown> {
  const cookie = { httpOnly: true, sameSite: 'lax', secure: given.secure, signed: true };
  return {
    adapter: given.adapter,
    findAccount: given.findAccount,
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: (_context: Context, id: string, client: Client) => given.subject(id, client),
    jwks: { keys: given.keys.map((key) => new PublishedKey(key, given.signature)) },
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: CLIENT_SCOPES,
    claims: { ...CLAIMS, ...OF_SIGN_IN },
    allowOmittingSingleRegisteredRedirectUri: false,
    acrValues: Object.values(ACR),
    clientAuthMethods: ['none', 'client_secret_basic', 'private_key_jwt'],
    clientDefaults: {
      id_token_signed_response_alg: 'ES256',
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
    extraClientMetadata: { properties: ['tenant_id'] },
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: ['ES256', 'PS256', 'RS256'],
      dPoPSigningAlgValues: ['ES256'],
    },
    clientBasedCORS: (_context: Context, origin: string, client: Client) =>
      client.clientAuthMethod === 'none' && client.redirectUris.some((uri) => URL.parse(uri)?.origin === origin),
    cookies: {
      names: { session: 'oidc_session', interaction: 'oidc_interaction', resume: 'oidc_resume' },
      keys: given.cookieKeys,
      long: { ...cookie, path: given.path },
      short: cookie,
    },
    routes: {
      authorization: '/authorize',
      pushed_authorization_request: '/par',
      token: '/token',
      revocation: '/revoke',
      introspection: '/introspect',
      userinfo: '/userinfo',
      jwks: '/jwks',
      end_session: '/logout',
    },
    enableHttpPostMethods: false,
    rotateRefreshToken: true,
    ttl: {
      AuthorizationCode: TTL.code,
      AccessToken: (_context: Context, token: { resourceServer?: object }) =>
        token.resourceServer === undefined ? TTL.accessToken : TTL.apiAccessToken,
      IdToken: TTL.idToken,
      RefreshToken: TTL.refreshToken,
      Grant: TTL.refreshToken,
      Interaction: TTL.interaction,
      // From the sign-in on, however often the session is used.
      Session: (_context: Context, { loginTs }: { loginTs?: number }) =>
        loginTs === undefined ? TTL.session : Math.max(1, loginTs + TTL.session - Math.floor(Date.now() / 1_000)),
    },
    features: {
      devInteractions: { enabled: false },
      claimsParameter: { enabled: true, assertClaimsParameter },
      dPoP: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      revocation: { enabled: true },
      introspection: {
        enabled: true,
        allowedPolicy: (_context: Context, client: Client, token: { clientId: string }) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      resourceIndicators: { enabled: true, getResourceServerInfo, defaultResource: () => undefined },
      rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
    },
    extraTokenClaims,
    interactions: {
      policy: policy(),
      url: (_context: Context, { uid }: { uid: string }) => `${given.path}${INTERACTION_PATH}/${uid}`,
    },
    renderError: (context: Context, out: ErrorOut) => {
      context.type = 'application/problem+json';
      context.body = JSON.stringify(given.problem(context.status, out));
    },
  };
}

/**
 * What a person agreed to once is not asked again, but every release of a verification is: each names its own claims, and goes to who has just
 * shown that the wallet is theirs.
 */
function policy() {
  const { Check, base } = interactionPolicy;
  const prompts = base();
  const check = ({ oidc, ...context }: Context) =>
    asksForVerification({ oidc, ...context } as Context) && oidc.result?.consent === undefined
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT;
  const description = 'the person has to agree to every release of a verification';
  prompts.get('consent').checks.push(new Check('verification_release', description, 'consent_required', check));
  const stepUp = ({ oidc, ...context }: Context) =>
    asksForVerification({ oidc, ...context } as Context) &&
    oidc.result?.login === undefined &&
    oidc.session?.past(TTL.stepUp) !== false
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT;
  const gone = ({ oidc }: Context) =>
    oidc.session?.accountId !== undefined && oidc.account === undefined
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT;
  prompts.get('login').checks.push(new Check('signed_out', 'the sign-in is no longer valid', 'login_required', gone));
  const why = 'a verification is released to a person who has just signed in';
  prompts.get('login').checks.push(new Check('verification_step_up', why, 'login_required', stepUp));
  return prompts;
}

/** A token for the API is stored nowhere: it says whose application has it, and on which grant it depends. */
function extraTokenClaims(_context: Context, token: { client: Client; resourceServer?: object; grantId?: string }) {
  const { client, resourceServer, grantId } = token;
  const ofApi = resourceServer !== undefined && grantId !== undefined;
  return { tenant_id: client.tenant_id, ...(ofApi && { [GRANT_CLAIM]: recordHash(grantId).toString('base64url') }) };
}

/** A claim is asked for by name only by clients that have its scope. */
function assertClaimsParameter(
  _context: Context,
  claims: Record<string, Record<string, unknown>>,
  client: Client,
): void {
  const verified = [claims.userinfo, claims.id_token].map((members) => members?.verified_claims);
  if (verified.some((request) => request !== undefined && request !== null && !isObject(request)))
    throw new errors.InvalidRequest('verified_claims is an object, or null');
  const scopes = new Set(client.scope.split(' '));
  for (const [scope, names] of Object.entries(CLAIMS)) {
    const asked = names.some((name) => name in (claims.userinfo ?? {}) || name in (claims.id_token ?? {}));
    if (asked && !scopes.has(scope))
      throw new errors.InvalidRequest(`claims of the scope ${scope} are not this client's`);
  }
}

function getResourceServerInfo(_context: Context, resource: string) {
  if (resource !== API_RESOURCE) throw new errors.InvalidTarget();
  const jwt = { sign: { alg: 'ES256' } };
  return {
    scope: API_SCOPES,
    audience: API_RESOURCE,
    accessTokenTTL: TTL.apiAccessToken,
    accessTokenFormat: 'jwt',
    jwt,
  };
}

/** Secrets of clients are stored as their SHA-256, and the former one of a client counts during its grace. */
export function compareHashedSecrets(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function (this: Client, actual: string): boolean {
    const given = createHash('sha256').update(actual).digest();
    const stored = this.clientSecret.split(' ').map((hash) => Buffer.from(hash, 'hex'));
    return stored.map((hash) => hash.length === given.length && timingSafeEqual(hash, given)).includes(true);
  };
}

export const oidcPath = (apiUrl: string): string => `${new URL(apiUrl).pathname.replace(/\/$/, '')}${OIDC_PATH}`;
