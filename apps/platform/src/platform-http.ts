import { Credentials } from '@constancia/auth';
import { besideBundle } from '@constancia/child-process';
import { EMBED_POLICIES, embedCredentials } from '@constancia/embed-sessions';
import { type HttpOptions, openapiFile, type RatePolicy } from '@constancia/http';
import { Database, migrated } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { RateLimiter } from '@constancia/rate-limit';
import { ObjectStore } from '@constancia/storage';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { RETURN_PAGE } from './billing/topup/return-page.ts';
import { PlatformConfig } from './config.ts';
import { CONSOLE_PAGES } from './console/console-pages.ts';
import { reusePolicies } from './identity/presentations/reuse-policies.ts';
import { PERSON_PAGES } from './identity/capture/capture-pages.ts';
import { CAPTURE_TOKEN_PREFIX, CaptureTokens } from './identity/hosted/capture-tokens.ts';
import { APP_REQUEST, AppRequestLinks } from './identity/consent/by-app/app-request-links.ts';
import { CONSENT_LINK, ConsentLinks } from './identity/consent/consent-links.ts';
import { ConsentEmbedTokens } from './identity/embed/consent-embed-tokens.ts';
import { FlowEmbedTokens } from './identity/embed/flow-embed-tokens.ts';
import { IdentityDatabase } from './identity/identity-database.ts';
import { IDENTITY } from './identity/migrations/all.ts';
import { SessionTokens } from './identity/sessions/session-access.ts';
import { SESSION_TOKEN_PREFIX } from './identity/sessions/session-token.ts';
import { WalletTokens } from './identity/wallet/sessions/wallet-tokens.ts';
import { EVIDENCE_PATH, EvidenceAddresses, RECOVERY_EVIDENCE } from './identity/wallet/recovery/evidence-addresses.ts';
import { PersonTokens } from './identity/oidc/api/person-tokens.ts';
import { OPENID_LINK, OpenIdLinks } from './identity/oidc/interactions/openid-links.ts';
import { openIdPolicies } from './identity/oidc/mount/openid-policies.ts';
import { OpenIdRoutes } from './identity/oidc/mount/openid-routes.ts';
import { PERSON_TOKEN_PREFIX } from './identity/subjects/person-bearer.ts';
import { UPLOAD_ADDRESS, UploadAddresses } from './identity/uploads/upload-address.ts';
import { PLATFORM } from './migrations/all.ts';
import { OWNER_EMAIL_CHANGE_PAGE, OWNER_EMAIL_PAGE, OWNER_EMAIL_STOP_PAGE } from './owner-email/owner-email-page.ts';

const MINUTE = 60;
const QUARTER_HOUR = 900;
const HOUR = 3_600;
/** Mails with a token that a tenant may ask for in an hour. */
const PROOF_MAILS_PER_HOUR = 5;
/** Invitations that a tenant may have mailed again in an hour. */
const INVITATIONS_PER_HOUR = 10;
const REFRESHES_PER_MINUTE = 6;
/** Requests of one device on the capture page: it asks for the state every second or two, and sends a dozen pictures. */
const CAPTURES_PER_MINUTE = 120;
/** Downloads of status lists from one address, which may keep them for five minutes. */
const STATUS_LISTS_PER_MINUTE = 60;
/** What wallet apps ask for while they get a credential, from one address. */
const ISSUANCES_PER_MINUTE = 60;
/** Pictures and challenges of recoveries, of an address. */
const EVIDENCE_PER_MINUTE = 60;
/** The provider calls from few addresses, for all tenants. */
const CALLBACKS_PER_MINUTE = 600;

/** The options of the HTTP kit for this app. */
@Injectable()
export class PlatformHttp implements HttpOptions {
  readonly name = 'platform';
  readonly openapiFile = openapiFile('platform');
  readonly problemPages = true;
  readonly documentPages = [OWNER_EMAIL_PAGE, OWNER_EMAIL_CHANGE_PAGE, OWNER_EMAIL_STOP_PAGE, RETURN_PAGE];
  readonly page = besideBundle(import.meta.url, 'ops-page');
  readonly pageHosts: HttpOptions['pageHosts'];
  readonly policies: RatePolicy[];
  readonly bearers: HttpOptions['bearers'];
  readonly pathCredentials: HttpOptions['pathCredentials'];
  readonly rawRoutes: HttpOptions['rawRoutes'];
  readonly findPerson: HttpOptions['findPerson'];
  readonly addresses: HttpOptions['addresses'];
  readonly readiness: HttpOptions['readiness'];

  constructor(
    readonly config: PlatformConfig,
    readonly authenticator: Credentials,
    readonly limiter: RateLimiter,
    readonly logger: Logger,
    readonly metrics: Metrics,
    tokens: SessionTokens,
    captures: CaptureTokens,
    flowEmbeds: FlowEmbedTokens,
    consentEmbeds: ConsentEmbedTokens,
    consents: ConsentLinks,
    appRequests: AppRequestLinks,
    interactions: OpenIdLinks,
    openid: OpenIdRoutes,
    uploads: UploadAddresses,
    evidence: EvidenceAddresses,
    wallets: WalletTokens,
    persons: PersonTokens,
    database: Database,
    identity: IdentityDatabase,
    queues: Queues,
    objects: ObjectStore,
  ) {
    const apiHosts = { platform: config.baseUrl, compliance: config.complianceUrl, signing: config.signingUrl };
    this.pageHosts = {
      page: { port: config.consolePort, apiHosts, ...CONSOLE_PAGES },
      person: { port: config.personPort, ...PERSON_PAGES },
    };
    this.policies = policiesOf(config);
    this.bearers = {
      [SESSION_TOKEN_PREFIX]: (token) => tokens.find(token),
      [CAPTURE_TOKEN_PREFIX]: (token) => captures.find(token),
      [PERSON_TOKEN_PREFIX]: (token) => persons.find(token),
    };
    this.pathCredentials = {
      ...embedCredentials(flowEmbeds, consentEmbeds),
      ...{ [CONSENT_LINK]: consents, [APP_REQUEST]: appRequests, [OPENID_LINK]: interactions },
    };
    this.rawRoutes = openid.routes;
    this.findPerson = (token) => wallets.find(token);
    this.addresses = {
      [UPLOAD_ADDRESS]: (address) => uploads.grantOf(address),
      [RECOVERY_EVIDENCE]: (address) => evidence.grantOf(address),
    };
    this.readiness = {
      database: migrated(database, PLATFORM),
      'identity-database': migrated(identity, IDENTITY),
      queue: () => queues.ping(),
      storage: () => objects.ping(),
    };
  }
}

function policiesOf(config: PlatformConfig): RatePolicy[] {
  const limited = { method: 'POST', limit: config.rateLimitSignup, windowSeconds: QUARTER_HOUR, by: 'ip' } as const;
  const signIn = { method: 'POST', limit: config.rateLimitSignIn, windowSeconds: QUARTER_HOUR, by: 'ip' } as const;
  return [
    { ...limited, name: 'signup', path: '/signup' },
    { ...signIn, name: 'sign-in-code', path: '/console/session/code' },
    { ...signIn, name: 'sign-in', path: '/console/session' },
    { ...signIn, name: 'wallet-code', path: '/v1/wallet/sessions/start' },
    { ...signIn, name: 'wallet-sign-in', path: '/v1/wallet/sessions/verify' },
    { ...signIn, name: 'wallet-passkey-options', path: '/v1/wallet/sessions/passkey/options' },
    { ...signIn, name: 'wallet-passkey', path: '/v1/wallet/sessions/passkey' },
    // The page of the OpenID provider is another way to the same.
    { ...signIn, name: 'wallet-code', path: '/openid/:token/otp/send' },
    { ...signIn, name: 'wallet-sign-in', path: '/openid/:token/otp/verify' },
    { ...signIn, name: 'wallet-passkey-options', path: '/openid/:token/passkey/options' },
    { ...signIn, name: 'wallet-passkey', path: '/openid/:token/passkey' },
    { ...signIn, name: 'sign-in-sso', path: '/console/sso' },
    { ...signIn, name: 'sign-in-link', path: '/console/session/link' },
    { ...signIn, name: 'sign-in-invitation', path: '/console/session/invitation' },
    { ...signIn, name: 'sign-in-passkey-options', path: '/console/session/passkey/options' },
    { ...signIn, name: 'sign-in-passkey', path: '/console/session/passkey' },
    {
      method: 'POST',
      name: 'invitation-mail',
      path: '/v1/members/:id/resend',
      limit: INVITATIONS_PER_HOUR,
      windowSeconds: HOUR,
      by: 'tenant',
    },
    { ...limited, name: 'recovery', path: '/tenants/:id/api-key-recovery' },
    { ...limited, name: 'owner-proof', path: '/tenants/:id/owner-email/proof' },
    { ...limited, name: 'owner-email-stop', path: '/tenants/:id/owner-email/stop' },
    {
      name: 'owner-proof-mail',
      method: 'POST',
      path: '/tenants/:id/owner-email/proof-mail',
      limit: PROOF_MAILS_PER_HOUR,
      windowSeconds: HOUR,
      by: 'tenant',
    },
    {
      name: 'topup-refresh',
      method: 'POST',
      path: '/v1/billing/topups/:id/refresh',
      limit: REFRESHES_PER_MINUTE,
      windowSeconds: MINUTE,
      by: 'tenant',
    },
    ...['GET', 'POST'].map((method): RatePolicy => ({
      name: 'capture',
      method,
      path: '/capture/*',
      limit: CAPTURES_PER_MINUTE,
      windowSeconds: MINUTE,
      by: 'bearer',
    })),
    ...EMBED_POLICIES,
    ...reusePolicies(),
    ...credentialPolicies(),
    ...recoveryPolicies(config),
    ...openIdPolicies(config),
    {
      name: 'payment-callbacks',
      method: 'POST',
      path: '/v1/billing/callbacks/:provider',
      limit: CALLBACKS_PER_MINUTE,
      windowSeconds: MINUTE,
      by: 'ip',
      replacesGeneral: true,
    },
  ];
}

/** The pictures of a check are six requests, and their addresses are given to nobody who has not proven a contact. */
function recoveryPolicies({ rateLimitRecovery }: PlatformConfig): RatePolicy[] {
  const byAddress = { windowSeconds: MINUTE, by: 'ip' } as const;
  const path = '/v1/wallet/recovery/*';
  const evidence = { ...byAddress, name: 'recovery-evidence', path: `${EVIDENCE_PATH}/*`, limit: EVIDENCE_PER_MINUTE };
  return [
    ...['GET', 'POST'].map((method) => ({
      ...byAddress,
      method,
      name: 'wallet-recovery',
      path,
      limit: rateLimitRecovery,
    })),
    ...['POST', 'PUT'].map((method) => ({ ...evidence, method })),
  ];
}

/** What verifiers and the wallets of persons ask for. */
function credentialPolicies(): RatePolicy[] {
  const byAddress = { windowSeconds: MINUTE, by: 'ip' } as const;
  const lists = { ...byAddress, method: 'GET', limit: STATUS_LISTS_PER_MINUTE } as const;
  return [
    { ...lists, name: 'status-list', path: '/v1/wallet/status-list/:list_id' },
    { ...lists, name: 'status-lists', path: '/v1/wallet/status-lists' },
    ...['credential', 'nonce'].map((name): RatePolicy => ({
      ...{ ...byAddress, method: 'POST', name, path: `/v1/oidc/${name}`, limit: ISSUANCES_PER_MINUTE },
    })),
    {
      ...byAddress,
      method: 'POST',
      name: 'credential-token',
      path: '/v1/wallet/issuance/token',
      limit: ISSUANCES_PER_MINUTE,
    },
    {
      ...byAddress,
      method: 'GET',
      name: 'credential-offer',
      path: '/v1/wallet/issuance/offers/:token',
      limit: ISSUANCES_PER_MINUTE,
    },
    {
      ...byAddress,
      method: 'POST',
      name: 'credential-offers',
      path: '/v1/wallet/me/credential-offers',
      limit: ISSUANCES_PER_MINUTE,
    },
  ];
}
