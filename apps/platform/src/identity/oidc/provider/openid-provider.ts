import type { IncomingMessage, ServerResponse } from 'node:http';
import { derivedKeys } from '@constancia/kernel';
import { Logger } from '@constancia/telemetry';
import type { JWK } from 'jose';
import { type Context, type ErrorOut, Provider } from 'oidc-provider';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { TokenKeys } from '../../token-keys/token-keys.ts';
import { RegisteredClients } from '../clients/registered-clients.ts';
import { OidcRecords } from '../store/oidc-records.ts';
import { Accounts } from './accounts.ts';
import { OIDC_PATH } from './oidc-issuer.ts';
import { compareHashedSecrets, oidcPath, providerConfiguration } from './provider-configuration.ts';

const KEY_SET = 'openid';

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

  constructor(
    private readonly config: PlatformConfig,
    private readonly keys: TokenKeys,
    private readonly records: OidcRecords,
    private readonly clients: RegisteredClients,
    private readonly accounts: Accounts,
    private readonly logger: Logger,
  ) {
    this.issuer = `${config.apiUrl}${OIDC_PATH}`;
  }

  /** Answers a request whose address is below OIDC_PATH. The body must not have been read. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { handle } = await this.provider();
    await handle(this.placed(request), response);
  }

  async provider(): Promise<Current> {
    const keys = await this.keys.published(KEY_SET);
    const kids = keys.map(({ kid }) => kid).join(' ');
    if (this.current?.kids !== kids) this.current = this.created(kids, keys);
    return this.current;
  }

  /** Whatever a proxy or a caller says: the addresses that the provider writes are those of the issuer. */
  placed(request: IncomingMessage): IncomingMessage {
    const { host, protocol } = new URL(this.issuer);
    const url = request.url ?? '/';
    const inside = url.startsWith(OIDC_PATH) ? url.slice(OIDC_PATH.length) || '/' : url;
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
        findAccount: (context, id) => this.accounts.find(context, id),
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
    const failed = (_context: Context, error: Error) => this.logger.error({ err: error }, 'openid request failed');
    provider.on('server_error', failed);
    provider.on('error', (error: Error) => this.logger.error({ err: error }, 'openid request failed'));
    return { kids, provider, handle: provider.callback() };
  }
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
