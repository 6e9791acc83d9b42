import type { IncomingMessage, ServerResponse } from 'node:http';
import { derivedKeys } from '@constancia/kernel';
import { Logger, Metrics } from '@constancia/telemetry';
import type { JWK } from 'jose';
import { type Context, type ErrorOut, Provider } from 'oidc-provider';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { TokenKeys } from '../../token-keys/token-keys.ts';
import { RegisteredClients } from '../clients/registered-clients.ts';
import { OidcRecords, StoreUnavailable } from '../store/oidc-records.ts';
import { Accounts } from './accounts.ts';
import { pagePolicy } from './logout-pages.ts';
import { OIDC_PATH } from './oidc-issuer.ts';
import { compareHashedSecrets, oidcPath, providerConfiguration } from './provider-configuration.ts';

const KEY_SET = 'openid';
/** What the library names in the event of an answer that failed for a reason that the application gets. */
const ENDPOINTS = ['authorization', 'pushed_authorization_request', 'grant', 'userinfo', 'revocation', 'end_session'];
/** How long relying parties may keep the keys: a key is published for longer before it signs. */
const KEYS_CACHED = 'public, max-age=300';

interface Current {
  kids: string;
  provider: Provider;
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** The OpenID provider, mounted at OIDC_PATH. It is made again when its keys change: they are fixed in one. */
@Injectable()
export class OpenIdProvider {
  readonly issuer: string;
  private current: Current | undefined;
  private readonly replays;

  constructor(
    private readonly config: PlatformConfig,
    private readonly keys: TokenKeys,
    private readonly records: OidcRecords,
    private readonly clients: RegisteredClients,
    private readonly accounts: Accounts,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.issuer = `${config.apiUrl}${OIDC_PATH}`;
    const help = 'Codes and refresh tokens that were presented again after they had been used';
    this.replays = metrics.counter('oidc_replays_total', help, []);
  }

  /**
   * Answers a request whose body has not been read.
   *
   * @param inside its path and query below the issuer
   */
  async handle(request: IncomingMessage, response: ServerResponse, inside: string): Promise<void> {
    const { handle } = await this.provider();
    await handle(this.placed(request, inside), response);
  }

  async provider(): Promise<Current> {
    const keys = await this.keys.published(KEY_SET);
    const kids = keys.map(({ kid }) => kid).join(' ');
    if (this.current?.kids !== kids) this.current = this.created(kids, keys);
    return this.current;
  }

  /** Whatever a proxy or a caller says: the addresses that the provider writes are those of the issuer. */
  private placed(request: IncomingMessage, inside: string): IncomingMessage {
    const { host, protocol } = new URL(this.issuer);
    request.headers.host = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete request.headers['x-forwarded-host'];
    return Object.assign(request, { originalUrl: `${oidcPath(this.config.apiUrl)}${inside}`, url: inside });
  }

  private created(kids: string, keys: readonly JWK[]): Current {
    const { apiUrl, secretsKey } = this.config;
    const provider = new Provider(
      this.issuer,
      providerConfiguration({
        adapter: (model) => (model === 'Client' ? this.clients : this.records.adapter(model)),
        findAccount: (context, id, token) => this.accounts.find(context, id, token),
        subject: (id, client) => this.accounts.subject(id, client),
        keys,
        signature: (kid, bytes) => this.keys.signature(KEY_SET, kid, bytes),
        cookieKeys: derivedKeys(secretsKey, 'signedValues').map((key) => key.toString('base64url')),
        path: oidcPath(apiUrl),
        secure: apiUrl.startsWith('https:'),
        problem: (status, out) => problemOf(apiUrl, status, out),
      }),
    );
    provider.proxy = true;
    compareHashedSecrets(provider);
    provider.use(writeHeaders);
    const failed = (_context: Context, error: Error) => this.logger.error({ err: error }, 'openid request failed');
    provider.on('server_error', failed);
    provider.on('error', (error: Error) => this.logger.error({ err: error }, 'openid request failed'));
    for (const endpoint of ENDPOINTS) {
      provider.on(`${endpoint}.error`, (context: Context, error: Error) => {
        if (error instanceof StoreUnavailable) failed(context, error);
      });
    }
    provider.on('grant.error', (_context: Context, { error_detail }: { error_detail?: string }) => {
      if (error_detail !== undefined && REPLAYED.test(error_detail)) this.replays.inc({});
    });
    return { kids, provider, handle: provider.callback() };
  }
}

/** What the library and the store say of what was used before. */
const REPLAYED = /already (?:been )?(?:used|consumed)|used before/;

/** The headers that differ from those of data. */
async function writeHeaders(context: Context, next: () => Promise<void>): Promise<void> {
  if (context.path.endsWith('/jwks')) context.set('cache-control', KEYS_CACHED);
  const isPage = /\/(?:logout|authorize)(?:\/|$)/.test(context.path);
  if (!isPage) return next();
  const ofData = context.response.get('content-security-policy');
  context.set('content-security-policy', "default-src 'none'; script-src 'self'"); // the library adds the hash of its script
  await next();
  if (!context.response.is('html')) return context.set('content-security-policy', ofData);
  const [script = "script-src 'self'"] = /script-src [^;]*/.exec(context.response.get('content-security-policy')) ?? [];
  context.set('content-security-policy', pagePolicy(context).replace("script-src 'self'", script));
}

/** What no relying party can be told, because none is known: a problem. */
function problemOf(apiUrl: string, status: number, { error, error_description }: ErrorOut): object {
  const slug = status >= 500 ? (status === 503 ? 'database-unavailable' : 'internal-error') : 'bad-request';
  return {
    type: `${apiUrl}/problems/${slug}`,
    title: slug,
    status,
    detail: error_description ?? error,
    error,
  };
}
