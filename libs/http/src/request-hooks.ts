import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { BadRequest, type FieldError } from '@constancia/problem-json';
import { beginRequestSpan, tracingEnabled } from '@constancia/telemetry';
import { Admission } from './admission.ts';
import { allowedMethods, RouteTable, useRouteTable } from './allowed-methods.ts';
import { useOtherHosts } from './other-hosts.ts';
import { refuseEndlessBody } from './body-collector.ts';
import type { BodyMemory } from './body-memory.ts';
import { clientIp } from './client-ip.ts';
import type { DrainState } from './drain.ts';
import { hostOf } from './hosts.ts';
import { admitOperator } from './ops/ops-listener.ts';
import type { HttpOptions } from './http-options.ts';
import { IDEMPOTENCY_KEY_REFUSED, parseIdempotencyKey } from './idempotency-key.ts';
import { policiesFor, type Limit } from './rate-limits.ts';
import { RequestLog } from './request-log.ts';
import type { Reply, Request } from './request-state.ts';
import { routeFacts, UNMATCHED, type RouteFacts } from './route-facts.ts';
import { securityHeaders, type SecurityHeaders } from './security-headers.ts';
import { checkedAddress } from './signed-address.ts';

/** What the log says instead of a status when the caller hung up before its answer (nginx's word for it). */
const CLIENT_GONE = 499;

type Begin = (route: RouteFacts, special: Limit[], request: Request, reply: Reply) => Promise<void>;

const NO_ERRORS: readonly FieldError[] = [];
const NO_ROUTE = routeFacts('*', UNMATCHED, { public: true });
const rejections = new WeakMap<object, (request: Request, reply: Reply) => Promise<void>>();
const unreadable = new WeakMap<object, (request: UnreadableRequest) => Promise<[name: string, value: string][]>>();

/** All that is known of bytes that are no request: where they came from. */
export type UnreadableRequest = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * What happens to every request, in this order, before its body is read: id, security headers, caller's address, who it is and
 * whether it is within its limits, its signed address. All of it is decided per route at start; per request there is one hook and no look-up.
 */
export async function registerRequestHooks(
  server: FastifyInstance,
  options: HttpOptions,
  { drain, memory }: { drain: DrainState; memory: BodyMemory },
): Promise<void> {
  const { config, metrics } = options;
  const headers = await securityHeaders();
  const limited = metrics.counter('rate_limited_total', 'Requests refused by a rate limit', ['policy']);
  const admission = new Admission(
    options,
    options.limiter,
    {
      tenant: config.rateLimitTenant,
      tenantTotal: config.rateLimitTenantTotal ?? 10 * config.rateLimitTenant,
      ip: config.rateLimitIp,
      wrongKey: config.rateLimitWrongKey,
    },
    (policy) => limited.inc({ policy }),
  );
  const requestLog = new RequestLog(options.name, options.logger, metrics);
  const table = new RouteTable();

  const begin: Begin = async (route, special, request, reply) => {
    const { raw } = request;
    request.constancia = {
      route,
      startedAt: performance.now(),
      clientIp: clientIp(raw, config.trustedProxyHops),
      tenant: undefined,
      holder: undefined,
      bearerToken: undefined,
      idempotencyKey: undefined,
      headerErrors: NO_ERRORS,
      answered: false,
      span: undefined,
    };
    if (hostOf(raw) === 'ops') return admitOperator(request, reply);
    reply.header('x-request-id', request.id);
    for (const [name, value] of headersOf(route, headers)) reply.header(name, value);
    if (route.unlimited) admission.showUnlimited(reply);
    else await admission.admit(route, special, request, reply);
    if (route.signedAddress !== undefined) {
      request.constancia.holder = checkedAddress(options.addresses, route.signedAddress, request);
    }
    if (raw.url?.includes('%00')) throw new BadRequest('The address contains a NUL character (%00): remove it.');
    const key = request.headers['idempotency-key'];
    if (route.idempotent && key !== undefined) {
      request.constancia.idempotencyKey = parseIdempotencyKey(key) ?? undefined;
      if (request.constancia.idempotencyKey === undefined) request.constancia.headerErrors = [IDEMPOTENCY_KEY_REFUSED];
    }
  };

  const follow = (request: Request, reply: Reply) => {
    const { raw } = reply;
    drain.inFlight.add(raw);
    raw.once('close', () => {
      drain.inFlight.delete(raw);
      memory.release(request.raw);
      if (request.constancia?.answered === false) requestLog.write(request, reply, CLIENT_GONE);
    });
  };

  for (const name of ['constancia', 'operator', 'opsCaller']) server.decorateRequest(name);
  server.addHook('onRequest', (request, reply, done) => {
    if (hostOf(request.raw) !== 'ops') follow(request, reply);
    if (drain.draining) reply.raw.setHeader('connection', 'close');
    if (!request.is404) return done();
    begin(NO_ROUTE, [], request, reply).then(() => done(), done);
  });
  server.addHook('onRoute', (route: RouteOptions) => {
    const marks = route.config?.constancia;
    if (marks?.raw !== undefined) route.bodyLimit = marks.raw.limitBytes;
    const facts = routeFacts([route.method].flat()[0] as string, route.url, marks);
    for (const method of [route.method].flat()) table.add(method, route.url, facts);
    const special = policiesFor(options.policies ?? [], facts.method === 'HEAD' ? 'GET' : facts.method, facts.pattern);
    const admit = (request: Request, reply: Reply, done: (error?: Error) => void) => {
      if (facts.hosts.includes(hostOf(request.raw))) {
        begin(facts, special, request, reply).then(() => traced(request, done), done);
      } else begin(NO_ROUTE, [], request, reply).then(() => done(allowedMethods(request)), done);
    };
    route.onRequest = [admit, ...[route.onRequest ?? []].flat()];
  });
  server.addHook('onResponse', (request, reply, done) => {
    if (hostOf(request.raw) === 'ops') return done();
    refuseEndlessBody(request.raw);
    requestLog.write(request, reply, reply.raw.statusCode);
    done();
  });
  useRouteTable(server, table);
  useOtherHosts(server, options.name, config);
  unreadable.set(server, async (request) => {
    const address = clientIp(request, config.trustedProxyHops);
    return [...headers.data, ...(await admission.countUnreadable(address))];
  });
  rejections.set(server, async (request, reply) => {
    reply.raw.once('finish', () => requestLog.write(request, reply, reply.raw.statusCode)); // no hook runs for these
    await begin(NO_ROUTE, [], request, reply);
  });
}

function headersOf({ page }: RouteFacts, { app, page: document, data }: SecurityHeaders): [string, string][] {
  if (page === undefined) return data;
  return page === 'app' ? app : document;
}

/** The same for a request whose address could not even be routed. */
export async function prepareRejected(request: Request, reply: Reply): Promise<void> {
  await rejections.get(request.server)?.(request, reply);
}

/** The headers of every answer, for bytes that are no request. */
export async function headersForUnreadable(
  server: FastifyInstance,
  request: UnreadableRequest,
): Promise<[name: string, value: string][]> {
  return (await unreadable.get(server)?.(request)) ?? [];
}

/** Runs what follows inside a span of the request, when an exporter is configured. Health probes have none. */
function traced(request: Request, done: () => void): void {
  const { route } = request.constancia;
  if (!tracingEnabled() || route.unlimited || route.ops !== undefined) return done();
  const { traceparent } = request.headers;
  const span = beginRequestSpan(
    route.method,
    route.template,
    typeof traceparent === 'string' ? traceparent : undefined,
  );
  request.constancia.span = span;
  span.run(done);
}
