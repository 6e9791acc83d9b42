import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Counter } from 'prom-client';
import type { OpsLogger } from './ops-access.ts';
import type { Operator, Operators, OpsRole } from './operators.ts';
import { OpsRefusal, toldAs } from './ops-refusal.ts';
import { WrongTokens } from './wrong-tokens.ts';

/** The request of an operator. */
export interface OpsRequest {
  /** What the groups of the action's path matched. */
  params: Record<string, string>;
  query: URLSearchParams;
  body: Readable;
  /** The name for the audit log: that of the token; with OPS_TOKEN in a sandbox, that of X-Operator. */
  operator: string;
  /** The token belongs to one person, so the name identifies them. */
  isPerson: boolean;
  roles: ReadonlySet<OpsRole>;
}

export interface OpsAnswer {
  status: number;
  /** Sent as JSON. */
  body: unknown;
}

/** Something that operators can do to a process beside looking at it. */
export interface OpsAction {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Of the whole path; its named groups are the request's params. */
  path: RegExp;
  /** Left out: `read` for GET, `act` for anything else. */
  role?: OpsRole;
  /** One line, for GET /ops. */
  about: string;
  handle(request: OpsRequest): Promise<OpsAnswer>;
}

export interface OpsActionsOptions {
  actions: readonly OpsAction[];
  operators: Operators;
  /** Whether X-Operator names the caller that uses OPS_TOKEN: on a local stack, never in production. */
  trustsNames: boolean;
  wrongTokens: Counter;
  logger?: OpsLogger | undefined;
  module?: string | undefined;
}

/**
 * The actions of a process, for operators, who send their token (`Authorization: Bearer`). Without any token configured there are none.
 * GET /ops lists them. Wrong tokens are answered with growing delays, counted and logged. An OpsRefusal is returned with its own status
 * and text, and so are the problems of the public API; anything else is a 500 without details.
 */
export class OpsActions {
  private readonly actions: readonly OpsAction[];
  private readonly wrong = new WrongTokens();

  constructor(private readonly options: OpsActionsOptions) {
    const { actions, module } = options;
    this.actions = actions.length === 0 ? [] : [indexOf(actions, module), ...actions];
  }

  get any(): boolean {
    return this.options.operators.any && this.actions.length > 0;
  }

  /** Answers a request when it is about an action; false: it is about something else. */
  async answer(request: IncomingMessage, url: URL, response: ServerResponse): Promise<boolean> {
    const about = this.any ? this.actions.filter(({ path }) => path.test(url.pathname)) : [];
    if (about.length === 0) return false;
    const address = request.socket.remoteAddress ?? '';
    if (this.wrong.isBlocked(address)) {
      response.setHeader('retry-after', '3');
      send(response, 429, { error: 'Too many wrong tokens from this address: wait three seconds.' }, true);
      return true;
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const operator = token === undefined ? undefined : this.options.operators.find(token);
    const action = about.find(({ method }) => method === request.method);
    if (!operator) {
      if (token !== undefined) await this.refuseToken(address, url);
      send(response, 401, { error: 'Give your operator’s token in Authorization: Bearer.' }, true);
    } else if (!action) {
      send(response, 405, { error: `This path has ${about.map(({ method }) => method).join(', ')}.` }, true);
    } else if (!operator.roles.has(roleOf(action))) {
      const error = `This needs the role ${roleOf(action)}; ${operator.name} has ${[...operator.roles].join(', ')}.`;
      send(response, 403, { error }, true);
    } else {
      await this.carryOut(action, operator, { request, url, response });
    }
    return true;
  }

  private async refuseToken(address: string, url: URL): Promise<void> {
    const { wrongTokens, logger } = this.options;
    wrongTokens.inc();
    const count = await this.wrong.slowDown(address);
    logger?.warn?.({ ops_address: address, count, route: url.pathname }, 'a wrong token on the ops port');
  }

  private async carryOut(
    action: OpsAction,
    operator: Operator,
    { request, url, response }: { request: IncomingMessage; url: URL; response: ServerResponse },
  ): Promise<void> {
    try {
      const { status, body } = await action.handle({
        params: { ...action.path.exec(url.pathname)?.groups },
        query: url.searchParams,
        body: request,
        operator: this.nameOf(operator, request.headers['x-operator']),
        isPerson: operator.isPerson,
        roles: operator.roles,
      });
      send(response, status, body, !request.complete);
    } catch (error) {
      const told = toldAs(error);
      if (!told) this.options.logger?.error({ err: error, route: pathText(action.path) }, 'an operation failed');
      const { status, error: text } = told ?? { status: 500, error: 'This failed; the log of the process tells why.' };
      send(response, status, { error: text }, true);
    }
  }

  /** The name for the audit log. X-Operator counts only where names are trusted. */
  private nameOf({ name, isPerson }: Operator, named: string | string[] | undefined): string {
    return isPerson || !this.options.trustsNames ? name : operatorOf(named);
  }
}

const roleOf = ({ method, role }: OpsAction): OpsRole => role ?? (method === 'GET' ? 'read' : 'act');

/** GET /ops: what this process offers. */
function indexOf(actions: readonly OpsAction[], module: string | undefined): OpsAction {
  const listed = actions.map((action) => ({
    ...{ method: action.method, path: pathText(action.path), about: action.about, role: roleOf(action) },
  }));
  return {
    method: 'GET',
    path: /^\/ops$/,
    about: 'what this process offers',
    handle: ({ operator, roles }) =>
      Promise.resolve({
        status: 200,
        body: { module: module ?? null, operator: { name: operator, roles: [...roles] }, actions: listed },
      }),
  };
}

/** A path as people write it: `/ops/deliveries/:id`. */
function pathText(path: RegExp): string {
  return path.source
    .replace(/^\^|\$$/g, '')
    .replaceAll('\\/', '/')
    .replace(/\(\?<(\w+)>[^)]*\)/g, ':$1');
}

/** Whose name the audit log gets: who names nobody is "operator"; a name that cannot be kept is refused, not replaced. */
function operatorOf(named: string | string[] | undefined): string {
  if (named === undefined || named === '') return 'operator';
  if (typeof named === 'string' && /^[\x20-\x7e]{1,128}$/.test(named)) return named;
  throw new OpsRefusal(400, 'X-Operator must be a name of 1 to 128 letters, digits and signs of ASCII.');
}

/** `closing`: what is left of the request's body is not read. */
function send(response: ServerResponse, status: number, body: unknown, closing: boolean): void {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, closing ? { ...headers, connection: 'close' } : headers).end(JSON.stringify(body));
}
