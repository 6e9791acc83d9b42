import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { MethodNotAllowed, NotFound } from '@constancia/problem-json';
import type { OpsApi, Operator, OpsCaller } from '@constancia/telemetry';
import type { Reply, Request } from '../request/request-state.ts';
import { OpsAccess } from './ops-access.ts';
import { OPS_HEADERS } from './refuse-operator.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token a request on the ops listener carries. */
    operator: Operator | undefined;
    /** The operator as the audit log names it. */
    opsCaller: OpsCaller | undefined;
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    opsAccess?: OpsAccess;
  }
}

/** Bodies that a handler reads itself. No client sends it: it stands in the place of what one sent. */
export const STREAMED_BODY = 'application/x-constancia-stream';

/** Who may use the ops port that a request came to. */
export function accessOf(request: IncomingMessage): OpsAccess {
  const access = request.opsAccess;
  if (access === undefined) throw new Error('this request did not come to the ops listener');
  return access;
}

/** The operators' API of an app, for its ops port: the routes of its OpsControllers, which no other listener answers. */
export function opsApiOf(server: FastifyInstance): OpsApi {
  return (port) => {
    const access = new OpsAccess(port);
    return (request, response) => {
      const path = (request.url ?? '').split(/[?#]/, 1)[0] as string;
      if (!isDecodable(path) || server.constancia.routes.methodsOf(path, 'ops').length === 0) return false;
      request.cameTo = 'ops';
      request.opsAccess = access;
      server.routing(request, response);
      return true;
    };
  };
}

/**
 * What happens to a request of an operator before its body is read: its token is checked, and whatever content type it names, its body is
 * read as the route takes it.
 */
export async function admitOperator(request: Request, reply: Reply): Promise<void> {
  const { route } = request.constancia;
  void reply.headers(OPS_HEADERS);
  request.operator = await accessOf(request.raw).authenticate(request.raw);
  if (request.is404 || request.method === 'HEAD') {
    const path = (request.raw.url ?? '').split(/[?#]/, 1)[0] as string;
    const methods = request.server.constancia.routes.methodsOf(path, 'ops').filter((method) => method !== 'HEAD');
    throw new MethodNotAllowed(methods, `This path has ${methods.join(', ')}.`);
  }
  if (!route.hosts.includes('ops')) throw new NotFound();
  request.headers['content-type'] = route.ops?.stream ? STREAMED_BODY : 'application/json';
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
