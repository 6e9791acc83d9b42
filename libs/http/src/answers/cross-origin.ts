import type { HttpConfig } from '../http-config.ts';
import type { Reply, Request } from '../request/request-state.ts';
import { hostOf } from '../routes/hosts.ts';

/** The methods of the API. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** What a page may send beyond what every page may. */
const REQUEST_HEADERS =
  'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, X-Actor, X-File-Name, X-Placeholders, X-Request-Id';
/** What a page may read beyond what every page may. */
const RESPONSE_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Location',
  'Content-Disposition',
  'Idempotent-Replayed',
  'X-Row-Count',
  'X-ROS-Drafts',
  'Date',
].join(', ');
/** How long a browser remembers what a preflight answered; browsers cap it themselves (Chromium: two hours). */
const PREFLIGHT_SECONDS = '7200';

/** The origin whose pages may call the API host, and no other; undefined: none. */
export function consoleOriginOf({ consoleUrl }: Pick<HttpConfig, 'consoleUrl'>): string | undefined {
  return consoleUrl === undefined ? undefined : new URL(consoleUrl).origin;
}

/** Whether a request comes from a page of the console. Of the API host only: what is on the page host is of that origin itself. */
function isFromConsole({ raw, headers, server }: Request): boolean {
  const { consoleOrigin: origin } = server.constancia;
  return origin !== undefined && hostOf(raw) === 'api' && headers.origin === origin;
}

/**
 * Lets a page of the console read the answer, whatever it will be (the limits that refuse it, too). No credentials: the console sends its
 * token in a header, and no cookie of the API host exists.
 */
export function allowConsole(request: Request, reply: Reply): void {
  if (!isFromConsole(request)) return;
  reply
    .header('access-control-allow-origin', String(request.headers.origin))
    .header('access-control-expose-headers', RESPONSE_HEADERS);
}

/** Whether the request asks what another one may do (a CORS preflight), for a page that may. */
export function isPreflight(request: Request): boolean {
  const asked = request.headers['access-control-request-method'];
  return request.method === 'OPTIONS' && asked !== undefined && isFromConsole(request);
}

/** Answers a preflight. */
export function answerPreflight(reply: Reply): void {
  void reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', REQUEST_HEADERS)
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .removeHeader('access-control-expose-headers')
    .send();
}

/** The answer depends on the origin, also where it has no CORS headers: a cache must not give one origin's to another. */
export function varyByOrigin(request: Request, reply: Reply): void {
  if (hostOf(request.raw) !== 'api' || request.server.constancia.consoleOrigin === undefined) return;
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Origin' : `${String(vary)}, Origin`);
}
