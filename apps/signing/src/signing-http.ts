import { Credentials } from '@constancia/auth';
import { EMBED_POLICIES, embedCredentials } from '@constancia/embed-sessions';
import { type HttpOptions, openapiFile } from '@constancia/http';
import { besideBundle } from '@constancia/child-process';
import { Database, migrated } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { RateLimiter } from '@constancia/rate-limit';
import { ObjectStore } from '@constancia/storage';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from './config.ts';
import { SignEmbedTokens } from './embed/sign-embed-tokens.ts';
import { SIGNING } from './migrations/all.ts';
import { SignersByToken } from './signer-requests/find-signer.ts';
import { LINK_CREDENTIAL } from './signer-requests/signer-routes.ts';
import { SIGN_PAGES } from './sign/sign-pages.ts';

/** The options of the HTTP kit for this app. */
@Injectable()
export class SigningHttp implements HttpOptions {
  readonly name = 'signing';
  readonly openapiFile = openapiFile('signing');
  readonly page = besideBundle(import.meta.url, 'ops-page');
  readonly policies = EMBED_POLICIES;
  readonly pageHosts: HttpOptions['pageHosts'];
  readonly pathCredentials: HttpOptions['pathCredentials'];
  readonly readiness: HttpOptions['readiness'];

  constructor(
    readonly config: SigningConfig,
    readonly authenticator: Credentials,
    links: SignersByToken,
    embeds: SignEmbedTokens,
    readonly limiter: RateLimiter,
    readonly logger: Logger,
    readonly metrics: Metrics,
    database: Database,
    queues: Queues,
    objects: ObjectStore,
  ) {
    this.pageHosts = { page: { port: config.signPort, ...SIGN_PAGES } };
    this.pathCredentials = { [LINK_CREDENTIAL]: links, ...embedCredentials(embeds) };
    this.readiness = {
      database: migrated(database, SIGNING),
      queue: () => queues.ping(),
      storage: () => objects.ping(),
    };
  }
}
