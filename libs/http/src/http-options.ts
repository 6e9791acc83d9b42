import type { Logger, Metrics, ReadinessChecks } from '@constancia/telemetry';
import type { DocumentPage } from './pages/document-pages.ts';
import type { HttpConfig } from './http-config.ts';
import type { PageHosts } from './pages/page-host.ts';
import type { RateLimiter, RatePolicy } from './admission/rate-limits.ts';
import type { AddressChecks } from './request/signed-address.ts';
import type { PersonLookup } from './request/person.ts';
import type { Authenticator } from './request/principal.ts';
import type { RawRoute } from './routes/raw-routes.ts';
import type { HolderLookup, PathCredentials } from './request/credential-holder.ts';

/** What createHttpApp needs to know. The app's module provides it. */
export abstract class HttpOptions {
  /** platform, compliance or signing: names the OpenAPI file and the logs. */
  name: string;
  config: HttpConfig;
  authenticator: Authenticator;
  /** Whose a credential in a path is, by its kind (PathCredential). */
  pathCredentials?: Readonly<Record<string, PathCredentials>>;
  /** Whose a bearer token is, by its prefix (AllowBearerToken). Handlers check tokens of other prefixes themselves. */
  bearers?: Readonly<Record<string, HolderLookup>>;
  /** For routes with RequirePerson. */
  findPerson?: PersonLookup;
  /** For routes with SignedAddress. */
  addresses?: AddressChecks;
  limiter: RateLimiter;
  /** Limits of single routes, beside the general ones. */
  policies?: RatePolicy[];
  /** The committed OpenAPI file; served as it is at /api/<name>.v1.yaml, with its documentation at /docs. */
  openapiFile?: string;
  /** Serves /problems/<slug>, the pages that problem types point to. Platform only. */
  problemPages?: boolean;
  /** Small pages for people on the API host. Platform only. */
  documentPages?: readonly DocumentPage[];
  /** Routes of the API host that a library answers. */
  rawRoutes?: readonly RawRoute[];
  /** Addresses for people. */
  pageHosts?: PageHosts;
  /** What /readyz asks for; each within 2 s. */
  readiness: ReadinessChecks;
  /** What /readyz of the ops port returns in addition to `status: ok`, for people. */
  readinessDetails?: () => Promise<Record<string, unknown>>;
  /** The folder of the operators' page, served by the ops port. */
  page?: string | undefined;
  logger: Logger;
  metrics: Metrics;
}
