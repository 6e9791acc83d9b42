import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { OpsRefusal, toldAs } from './ops-refusal.ts';

/** What an operator asks for. */
export interface OpsRequest {
  /** What the groups of the action's path matched. */
  params: Record<string, string>;
  query: URLSearchParams;
  body: Readable;
  /** Who asks: the header X-Operator, or "operator". */
  operator: string;
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
  /** One line, for GET /ops. */
  about: string;
  handle(request: OpsRequest): Promise<OpsAnswer>;
}

/** Where a failure of our own is told: what the operator gets says no more than that. */
export interface OpsLogger {
  error(fields: object, message: string): void;
}

/**
 * The actions of a process, for who shows its token (`Authorization: Bearer`). Without a token there are none. GET /ops lists
 * them. An OpsRefusal is answered as it is, and so are the problems of the public API; anything else is a 500 without details.
 */
export class OpsActions {
  private readonly digest: Buffer | undefined;
  private readonly actions: readonly OpsAction[];

  constructor(
    actions: readonly OpsAction[],
    token: string | undefined,
    private readonly logger?: OpsLogger,
    module?: string,
  ) {
    this.digest = token === undefined ? undefined : sha256(token);
    this.actions = actions.length === 0 ? [] : [indexOf(actions, module), ...actions];
  }

  get any(): boolean {
    return this.digest !== undefined && this.actions.length > 0;
  }

  /** Answers a request when it is about an action; false: it is about something else. */
  async answer(request: IncomingMessage, url: URL, response: ServerResponse): Promise<boolean> {
    const about = this.digest ? this.actions.filter(({ path }) => path.test(url.pathname)) : [];
    if (about.length === 0) return false;
    const action = about.find(({ method }) => method === request.method);
    if (!this.allows(request.headers.authorization)) {
      send(response, 401, { error: 'Give the token of OPS_TOKEN in Authorization: Bearer.' }, true);
    } else if (!action) {
      send(response, 405, { error: `This path has ${about.map(({ method }) => method).join(', ')}.` }, true);
    } else {
      await this.carryOut(action, request, url, response);
    }
    return true;
  }

  private allows(authorization: string | undefined): boolean {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    return token !== undefined && timingSafeEqual(sha256(token), this.digest as Buffer);
  }

  private async carryOut(
    action: OpsAction,
    request: IncomingMessage,
    url: URL,
    response: ServerResponse,
  ): Promise<void> {
    try {
      const { status, body } = await action.handle({
        params: { ...action.path.exec(url.pathname)?.groups },
        query: url.searchParams,
        body: request,
        operator: operatorOf(request.headers['x-operator']),
      });
      send(response, status, body, !request.complete);
    } catch (error) {
      const told = toldAs(error);
      if (!told) this.logger?.error({ err: error, route: pathText(action.path) }, 'an operation failed');
      const { status, error: text } = told ?? { status: 500, error: 'This failed; the log of the process tells why.' };
      send(response, status, { error: text }, true);
    }
  }
}

/** GET /ops: what this process offers. */
function indexOf(actions: readonly OpsAction[], module: string | undefined): OpsAction {
  const listed = actions.map(({ method, path, about }) => ({ method, path: pathText(path), about }));
  return {
    method: 'GET',
    path: /^\/ops$/,
    about: 'what this process offers',
    handle: () => Promise.resolve({ status: 200, body: { module: module ?? null, actions: listed } }),
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

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
