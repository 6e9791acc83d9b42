import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { varyByOrigin } from '../answers/cross-origin.ts';
import { refuseEndlessBody } from '../body/body-collector.ts';
import { clientIp } from '../request/client-ip.ts';
import { showAge } from '../request/stale-reads.ts';
import { hostOf } from '../routes/hosts.ts';
import { routeFacts, type RouteFacts } from '../routes/route-facts.ts';
import { registerRequestSteps } from './request-steps.ts';

/** All that is known of bytes that are no request: where they came from. */
export type UnreadableRequest = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * The facts of each route, decided once at start; the steps before a body is read; and what follows an answer. Before Nest's adapter is
 * made: it adds hooks of its own, one of which ends requests for targets such as `*livez`, and these have to go through the steps too.
 */
export function registerRequestHooks(server: FastifyInstance): void {
  for (const name of ['constancia', 'operator', 'opsCaller']) server.decorateRequest(name);
  server.addHook('onRoute', (route: RouteOptions) => {
    const marks = route.config?.constancia;
    if (marks?.raw !== undefined) route.bodyLimit = marks.raw.limitBytes;
    const facts = routeFacts([route.method].flat()[0] as string, route.url, marks);
    for (const method of [route.method].flat()) server.constancia.routes.add(method, route.url, facts);
    requireStatedScope(facts);
    route.config = { ...route.config, facts };
  });
  registerRequestSteps(server);
  server.addHook('onSend', (request, reply, payload, done) => {
    varyByOrigin(request, reply);
    showAge(request, reply);
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    if (hostOf(request.raw) === 'ops') return done();
    refuseEndlessBody(request.raw);
    server.constancia.requestLog.write(request, reply, reply.raw.statusCode);
    done();
  });
}

/** A route that was given no scope by mistake would be open to every principal: the server does not start. */
function requireStatedScope({ public: isPublic, ops, scopes, method, pattern }: RouteFacts): void {
  if (isPublic === true || ops !== undefined || scopes !== undefined || pattern.endsWith('*')) return;
  throw new Error(`${method} ${pattern} states no scope: add RequireScope, AnyScope or Public to its handler`);
}

/** The headers of every answer, for bytes that are no request. */
export async function headersForUnreadable(
  server: FastifyInstance,
  request: UnreadableRequest,
): Promise<[name: string, value: string][]> {
  const { headers, admission, options } = server.constancia;
  const address = clientIp(request, options.config.trustedProxyHops);
  return [...headers.data, ...(await admission.countUnreadable(address))];
}
