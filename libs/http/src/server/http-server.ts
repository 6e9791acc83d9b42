import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { BadRequest } from '@constancia/problem-json';
import type { ProblemFilter } from '../answers/problem-filter.ts';
import { requestId } from '../request/request-id.ts';
import { prepareRejected } from './request-steps.ts';
import { answerUnreadable } from './unreadable.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle timeout of the load balancers in front (60 s), so that they are the ones who hang up. */
const KEEP_ALIVE_MS = 65_000;
/** A connection on which no byte moves for so long is cut: an answer that nobody reads holds its file and memory open. */
export const STALLED_MS = 60_000;

/** Limits of time and size of every server that listens. */
export const SERVER_OPTIONS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 2_000,
  // X-Placeholders over its own 8 KB is still read, so that its answer says what is wrong with it.
  maxHeaderSize: 64 * 1024,
};

/** The Fastify server under Nest, with its time limits. It asks for the filter once requests arrive. */
export function createServer(problemFilter: () => ProblemFilter): FastifyInstance {
  const { headersTimeout, connectionsCheckingInterval, maxHeaderSize, ...timeouts } = SERVER_OPTIONS;
  const server: FastifyInstance = fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    ...timeouts,
    connectionTimeout: STALLED_MS,
    http: { headersTimeout, connectionsCheckingInterval, maxHeaderSize },
    routerOptions: { maxParamLength: 512 },
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      const filter = problemFilter();
      void prepareRejected(request, reply).then(
        () =>
          filter.answer(
            new BadRequest('The address cannot be read: check its percent-encoding and length.'),
            request,
            reply,
          ),
        (error: unknown) => filter.answer(error, request, reply),
      );
    },
    clientErrorHandler: () => undefined, // handleClientErrors answers
  });
  return server;
}

/** Answers what is no request, and requests that wait for 100 Continue. */
export function handleClientErrors(listening: Server, server: FastifyInstance, filter: ProblemFilter): void {
  listening.on('clientError', (error, socket) => void answerUnreadable(error, socket as Socket, { server, filter }));
  listening.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.waitingForContinue = response; // sent only when the body is really going to be read
    listening.emit('request', request, response);
  });
  listening.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    listening.emit('request', request, response); // an expectation that nobody knows may be ignored (RFC 9110 §10.1.1)
  });
}
