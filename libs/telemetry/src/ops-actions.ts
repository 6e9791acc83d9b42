import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

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
  handle(request: OpsRequest): Promise<OpsAnswer>;
}

/** The actions of a process, for who shows its token (`Authorization: Bearer`). Without a token there are none. */
export class OpsActions {
  private readonly digest: Buffer | undefined;

  constructor(
    private readonly actions: readonly OpsAction[],
    token: string | undefined,
  ) {
    this.digest = token === undefined ? undefined : sha256(token);
  }

  get any(): boolean {
    return this.digest !== undefined && this.actions.length > 0;
  }

  /** Answers a request when it is about an action; false: it is about something else. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', 'http://ops');
    const about = this.digest ? this.actions.filter(({ path }) => path.test(url.pathname)) : [];
    if (about.length === 0) return false;
    const action = about.find(({ method }) => method === request.method);
    if (!this.allows(request.headers.authorization)) {
      send(response, 401, { error: 'Give the token of OPS_TOKEN in Authorization: Bearer.' }, true);
    } else if (!action) {
      send(response, 405, { error: `This path has ${about.map(({ method }) => method).join(', ')}.` }, true);
    } else {
      await carryOut(action, request, url, response);
    }
    return true;
  }

  private allows(authorization: string | undefined): boolean {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    return token !== undefined && timingSafeEqual(sha256(token), this.digest as Buffer);
  }
}

async function carryOut(
  action: OpsAction,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): Promise<void> {
  const named = request.headers['x-operator'];
  try {
    const { status, body } = await action.handle({
      params: { ...action.path.exec(url.pathname)?.groups },
      query: url.searchParams,
      body: request,
      operator: typeof named === 'string' && /^[\x20-\x7e]{1,128}$/.test(named) ? named : 'operator',
    });
    send(response, status, body, !request.complete);
  } catch (error) {
    send(response, 500, { error: error instanceof Error ? error.message : 'it failed' }, true);
  }
}

/** `closing`: what is left of the request's body is not read. */
function send(response: ServerResponse, status: number, body: unknown, closing: boolean): void {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  response.writeHead(status, closing ? { ...headers, connection: 'close' } : headers).end(JSON.stringify(body));
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
