import { performance } from 'node:perf_hooks';
import { mayBeStale, metered } from '@constancia/persistence';
import { BadRequest, type FieldError } from '@constancia/problem-json';
import { beginRequestSpan, tracingEnabled } from '@constancia/telemetry';
import type { FastifyInstance } from 'fastify';
import { allowConsole, answerPreflight, isPreflight } from '../answers/cross-origin.ts';
import type { SecurityHeaders } from '../answers/security-headers.ts';
import { checkRequiredScope } from '../admission/required-scope.ts';
import { checkTenantStanding } from '../admission/tenant-standing.ts';
import { admitOperator } from '../ops/ops-listener.ts';
import { allowedMethods } from '../request/allowed-methods.ts';
import { clientIp } from '../request/client-ip.ts';
import type { Reply, Request } from '../request/request-state.ts';
import { wantsCurrent } from '../request/stale-reads.ts';
import { checkedAddress } from '../request/signed-address.ts';
import { hostOf, type PageHostName } from '../routes/hosts.ts';
import { routeFacts, UNMATCHED } from '../routes/route-facts.ts';
import { IDEMPOTENCY_KEY_REFUSED, parseIdempotencyKey } from '../validation/idempotency-key.ts';

/** What the log says instead of a status when the caller hung up before its answer (nginx's word for it). */
const CLIENT_GONE = 499;
const NO_ERRORS: readonly FieldError[] = [];
const NO_ROUTE = routeFacts('*', UNMATCHED, { public: true });

/**
 * A Fastify hook. It throws, or rejects with, the problem that the request is answered with; otherwise it calls `done`, or answers a promise.
 * A promise costs every request several microseconds while something follows it (AsyncLocalStorage): only what has to wait answers one.
 */
type RequestStep = (request: Request, reply: Reply, done: () => void) => void | Promise<void>;

const isOps = (request: Request) => hostOf(request.raw) === 'ops';

/** Counts the answer as under way until it is out; while the process drains, the answer closes its connection. */
const followAnswer: RequestStep = (request, reply, done) => {
  const { drain, memory, requestLog } = request.server.constancia;
  const { raw } = reply;
  if (!isOps(request)) {
    drain.inFlight.add(raw);
    raw.once('close', () => {
      drain.inFlight.delete(raw);
      drain.lastOutAt = performance.now();
      memory.release(request.raw);
      if (request.constancia?.answered === false) requestLog.write(request, reply, CLIENT_GONE);
    });
  }
  if (drain.draining) raw.setHeader('connection', 'close');
  done();
};

/** Begins what is kept of the request: the facts of its route, and the caller's address. */
const beginState: RequestStep = (request, _reply, done) => {
  const { config } = request.server.constancia.options;
  const facts = request.is404 ? undefined : request.routeOptions.config.facts;
  request.constancia = {
    route: facts?.hosts.includes(hostOf(request.raw)) ? facts : NO_ROUTE,
    startedAt: performance.now(),
    clientIp: clientIp(request.raw, config.trustedProxyHops),
    principal: undefined,
    person: undefined,
    holder: undefined,
    grant: undefined,
    bearerToken: undefined,
    idempotencyKey: undefined,
    readAsOf: undefined,
    headerErrors: NO_ERRORS,
    answered: false,
    span: undefined,
  };
  done();
};

/** On the ops port: the operator's token, instead of what follows. */
const checkOperator: RequestStep = (request, reply, done) => (isOps(request) ? admitOperator(request, reply) : done());

/** X-Request-Id and the security headers. */
const writeHeaders: RequestStep = (request, reply, done) => {
  if (isOps(request)) return done();
  reply.header('x-request-id', request.id);
  const headers = headersOf(request, request.server.constancia.headers);
  for (const [name, value] of headers) reply.header(name, value);
  done();
};

/** CORS headers, for the pages of the console: before anything can refuse the request. */
const allowConsoleOrigin: RequestStep = (request, reply, done) => {
  allowConsole(request, reply);
  done();
};

/** The answer to a CORS preflight. Not counted by the limits: a browser tells the page nothing of a preflight that is refused. */
const endPreflight: RequestStep = (request, reply, done) => {
  if (isPreflight(request)) answerPreflight(reply);
  else done();
};

/** Who the request is made for, and whether it is within its limits. */
const admit: RequestStep = (request, reply, done) => {
  if (isOps(request)) return done();
  const { admission } = request.server.constancia;
  const { route } = request.constancia;
  if (!route.unlimited) return admission.admit(route, request, reply) ?? done();
  admission.showUnlimited(reply);
  done();
};

/** Whether the tenant of the credential may do anything at present. */
const checkStanding: RequestStep = (request, _reply, done) => {
  checkTenantStanding(request);
  done();
};

/** Whether the principal has the scope of the route. */
const checkScope: RequestStep = (request, _reply, done) => {
  const { principal, route } = request.constancia;
  if (principal !== undefined) checkRequiredScope(principal, route);
  done();
};

/** What a signed address allows. */
const checkSignedAddress: RequestStep = (request, _reply, done) => {
  const { signedAddress } = request.constancia.route;
  const { addresses } = request.server.constancia.options;
  if (signedAddress !== undefined) request.constancia.grant = checkedAddress(addresses, signedAddress, request);
  done();
};

/** PostgreSQL stores no NUL. */
const refuseNul: RequestStep = (request, _reply, done) => {
  if (!isOps(request) && request.raw.url?.includes('%00')) {
    throw new BadRequest('The address contains a NUL character (%00): remove it.');
  }
  done();
};

/** The Idempotency-Key. A wrong one is reported together with the errors of the body. */
const readIdempotencyKey: RequestStep = (request, _reply, done) => {
  const state = request.constancia;
  const key = request.headers['idempotency-key'];
  if (state.route.idempotent && key !== undefined) {
    state.idempotencyKey = parseIdempotencyKey(key) ?? undefined;
    if (state.idempotencyKey === undefined) state.headerErrors = [IDEMPOTENCY_KEY_REFUSED];
  }
  done();
};

/** 404, or 405, where the route is one of another listener. */
const refuseOtherListeners: RequestStep = (request, _reply, done) => {
  if (!request.is404 && request.constancia.route === NO_ROUTE) throw allowedMethods(request);
  done();
};

/** Runs what follows inside a span of the request, when an exporter is configured. Health probes have none. */
const beginSpan: RequestStep = (request, _reply, done) => {
  const { route } = request.constancia;
  if (request.is404 || !tracingEnabled() || route.unlimited || route.ops !== undefined) return done();
  const { traceparent } = request.headers;
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  const span = beginRequestSpan(route.method, route.template, parent);
  request.constancia.span = span;
  span.run(done);
};

/** Runs what follows of a tenant's read within the budget of its reads. */
const meterReads: RequestStep = (request, _reply, done) => {
  const { principal, route } = request.constancia;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (principal === undefined || !isRead || route.unlimited) return done();
  metered(request.server.constancia.readBudget.meter(principal.tenant.id), done);
};

/** Lets what follows of a route that is marked so read from a replica, unless the caller wants the store as it is. */
const allowStaleReads: RequestStep = (request, _reply, done) => {
  if (request.constancia.route.mayBeStale !== true || wantsCurrent(request)) return done();
  mayBeStale(request.server.constancia.staleReads.of(request), done);
};

/** What a request whose address cannot be routed goes through, too, but for the answer to a preflight. */
const FIRST_STEPS = [beginState, checkOperator, writeHeaders, allowConsoleOrigin] as const;
const ADMISSION_STEPS = [admit, checkStanding, checkScope, checkSignedAddress, refuseNul] as const;

/** What happens to every request before its body is read, in this order. docs/architecture.md lists the names. */
export const REQUEST_STEPS: readonly RequestStep[] = [
  followAnswer,
  ...FIRST_STEPS,
  endPreflight,
  ...ADMISSION_STEPS,
  readIdempotencyKey,
  refuseOtherListeners,
  beginSpan,
  meterReads,
  allowStaleReads,
];

/** Registers the steps, in their order, for every route of the server. */
export function registerRequestSteps(server: Pick<FastifyInstance, 'addHook'>): void {
  for (const step of REQUEST_STEPS) server.addHook('onRequest', step as (...hook: Parameters<RequestStep>) => void);
}

/** The same for a request whose address could not even be routed: no hook runs for it. */
export async function prepareRejected(request: Request, reply: Reply): Promise<void> {
  const { requestLog } = request.server.constancia;
  reply.raw.once('finish', () => requestLog.write(request, reply, reply.raw.statusCode));
  for (const step of [...FIRST_STEPS, ...ADMISSION_STEPS]) await step(request, reply, () => undefined);
}

function headersOf(request: Request, { app, page: document, data }: SecurityHeaders): [string, string][] {
  const { page } = request.constancia.route;
  if (page === undefined) return data;
  return page === 'app' ? (app[hostOf(request.raw) as PageHostName] ?? document) : document;
}
