import type { IncomingMessage, ServerResponse } from 'node:http';
import { OPENID_PAGE } from '@constancia/contracts';
import type { RawRoute } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { Interactions } from '../interactions/interactions.ts';
import { InteractionTickets } from '../interactions/interaction-tickets.ts';
import { INTERACTION_PATH, OIDC_PATH } from '../provider/oidc-issuer.ts';
import { OpenIdProvider } from '../provider/openid-provider.ts';
import { oidcPath } from '../provider/provider-configuration.ts';
import { postedParameters } from './posted-request.ts';

type Methods = readonly RawRoute['method'][];

/** What the library answers, below the issuer. */
const PROTOCOL: readonly [path: string, methods: Methods][] = [
  ['/.well-known/openid-configuration', ['GET', 'OPTIONS']],
  ['/.well-known/oauth-authorization-server', ['GET', 'OPTIONS']],
  ['/jwks', ['GET', 'OPTIONS']],
  ['/authorize', ['GET']],
  ['/par', ['POST', 'OPTIONS']],
  ['/token', ['POST', 'OPTIONS']],
  ['/revoke', ['POST', 'OPTIONS']],
  ['/introspect', ['POST', 'OPTIONS']],
  ['/userinfo', ['GET', 'POST', 'OPTIONS']],
  ['/logout', ['GET']],
  ['/logout/confirm', ['POST']],
  ['/logout/success', ['GET']],
];

/** Where RFC 8414 looks for what an issuer with a path says of itself, and where the path below the issuer is. */
const WELL_KNOWN = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

/** Everything of the OpenID provider on the API host, but for the clients of tenants. */
@Injectable()
export class OpenIdRoutes {
  readonly routes: readonly RawRoute[];

  constructor(
    private readonly config: PlatformConfig,
    private readonly openid: OpenIdProvider,
    private readonly interactions: Interactions,
    private readonly tickets: InteractionTickets,
  ) {
    const below: RawRoute['answer'] = (request, response) =>
      this.openid.handle(request, response, (request.url as string).slice(OIDC_PATH.length));
    this.routes = [
      ...PROTOCOL.flatMap(([path, methods]) =>
        methods.map((method): RawRoute => ({ method, pattern: `${OIDC_PATH}${path}`, answer: below })),
      ),
      ...WELL_KNOWN.flatMap((path) =>
        (['GET', 'OPTIONS'] as const).map((method): RawRoute => ({
          method,
          pattern: `${path}${oidcPath(config.apiUrl)}`,
          answer: (request, response) => this.openid.handle(request, response, path),
        })),
      ),
      {
        method: 'POST',
        pattern: `${OIDC_PATH}/authorize`,
        answer: (request, response) => this.posted(request, response),
      },
      { method: 'GET', pattern: `${OIDC_PATH}/authorize/:uid`, secretPath: true, answer: below },
      {
        method: 'GET',
        pattern: `${OIDC_PATH}${INTERACTION_PATH}/:uid`,
        secretPath: true,
        answer: (request, response, { uid = '' }) => this.interaction(request, response, uid),
      },
    ];
  }

  private async posted(request: IncomingMessage, response: ServerResponse): Promise<void> {
    redirect(response, `${oidcPath(this.config.apiUrl)}/authorize?${await postedParameters(request)}`);
  }

  /** The browser is sent to the page, and comes back with the answer of the person. Not found in any browser but the one that began. */
  private async interaction(request: IncomingMessage, response: ServerResponse, uid: string): Promise<void> {
    const ticket = new URL(request.url as string, this.openid.issuer).searchParams.get('ticket');
    if (ticket === null) {
      await this.interactions.find({ request, response, uid });
      return redirect(response, `${this.config.personAddress}${OPENID_PAGE.replace(':token', uid)}`);
    }
    const answer = this.tickets.open(uid, ticket);
    if (answer === null) throw new NotFound();
    await this.interactions.answer({ request, response, uid }, answer);
  }
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end();
}
