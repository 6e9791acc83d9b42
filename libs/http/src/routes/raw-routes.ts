import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { RouteMarks } from './route-facts.ts';

/** A route that something else answers from the raw request: a protocol with bodies, answers and errors of its own. */
export interface RawRoute {
  method: 'GET' | 'POST' | 'OPTIONS';
  /** As Fastify writes it: `/v1/oidc/authorize/:uid`. */
  pattern: string;
  /** The path holds a credential (SecretPath). */
  secretPath?: boolean;
  /**
   * Answers the whole request, whose body has not been read. What it throws before it has answered is answered as a problem. The response
   * has the request id, the limits and the security headers of data.
   */
  answer: (request: IncomingMessage, response: ServerResponse, parameters: Record<string, string>) => Promise<void>;
}

/** Routes that need no credential: who asks, their handlers find out. All that happens before a body is read happens here, too. */
export function registerRawRoutes(server: FastifyInstance, routes: readonly RawRoute[]): void {
  for (const { method, pattern, secretPath = false, answer } of routes) {
    const constancia: RouteMarks = { public: true, secretPath };
    server.route({
      method,
      url: pattern,
      exposeHeadRoute: false,
      config: { constancia },
      onRequest: async (request, reply) => {
        const { raw } = reply;
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) raw.setHeader(name, value);
        request.raw.waitingForContinue?.writeContinue();
        await answer(request.raw, raw, request.params as Record<string, string>);
        reply.hijack();
      },
      handler: () => {
        throw new Error('a raw route has been answered before its handler');
      },
    });
  }
}
