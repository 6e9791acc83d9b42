import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import {
  BadRequest,
  Conflict,
  DependencyUnavailable,
  InternalError,
  NotFound,
  PayloadTooLarge,
  type Problem,
  Unauthorized,
  UnprocessableEntity,
  problemDocument,
} from '@constancia/problem-json';
import type { Logger } from '@constancia/telemetry';
import { oauthDocument } from './oauth-document.ts';
import { allowedMethods } from '../request/allowed-methods.ts';
import { wrongType } from '../body/body-parsers.ts';
import { problemOf } from './domain-errors.ts';
import type { DrainState } from './drain.ts';
import { hostOf } from '../routes/hosts.ts';
import { refuseOperator } from '../ops/refuse-operator.ts';
import type { Reply, Request } from '../request/request-state.ts';
import { UNMATCHED } from '../routes/route-facts.ts';

/** The one place where an error becomes an answer. What is neither a Problem nor a domain error gives the caller only its request_id. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly baseUrl: string,
    private readonly logger: Logger,
    private readonly drain: DrainState,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<Request>(), http.getResponse<Reply>());
  }

  answer(error: unknown, request: Request, reply: Reply): void {
    const problem = problemOf(error) ?? problemOfOther(error, request);
    if (hostOf(request.raw) === 'ops') return refuseOperator(problem, error, { request, reply, logger: this.logger });
    this.log(problem, error, request);
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy(); // half an answer is out: cutting it is the only way to tell that it is not whole
      return;
    }
    const oauth = request.constancia.route.oauth === true;
    const document = oauth
      ? oauthDocument(problem)
      : this.documentOf(problem, { instance: instanceOf(request), requestId: request.id });
    // Fastify ends the connection for any error in a body; body-collector knows better when.
    if (!this.drain.draining && reply.hasHeader('connection')) reply.removeHeader('connection');
    reply.removeHeader('content-disposition'); // of a file whose first bytes could not be read
    void reply
      .code(problem.status)
      .headers(problem.headers)
      .header('content-type', oauth ? 'application/json' : 'application/problem+json')
      .header('cache-control', 'no-store')
      .send(Buffer.from(JSON.stringify(document)));
  }

  documentOf(problem: Problem, context: { instance: string; requestId: string }): Record<string, unknown> {
    return problemDocument(problem, { baseUrl: this.baseUrl, ...context });
  }

  private log(problem: Problem, error: unknown, request: Request): void {
    if (problem.status < 500) return;
    const fields = { request_id: request.id, route: request.constancia?.route.template, slug: problem.slug };
    const cause = problem instanceof InternalError ? error : (problem.cause ?? error);
    if (problem.status === 503) this.logger.warn({ ...fields, err: cause }, 'request answered with 503');
    else this.logger.error({ ...fields, err: cause }, 'request failed');
  }
}

function problemOfOther(error: unknown, request: Request): Problem {
  if (!(error instanceof HttpException)) return new InternalError(error);
  const cause = problemOf(error.cause);
  if (cause) return cause;
  switch (error.getStatus()) {
    case 400:
      return new BadRequest('The request cannot be read.');
    case 401:
      return new Unauthorized();
    case 404:
      return request.is404 ? allowedMethods(request) : new NotFound();
    case 409:
      return new Conflict('The request collides with another one.');
    case 413:
      return new PayloadTooLarge('The body is too large.');
    case 414:
      return new BadRequest('The address is too long.');
    case 415:
      return wrongType(request);
    case 422:
      return new UnprocessableEntity('The request cannot be carried out.');
    case 503:
      return new DependencyUnavailable('A service that this needs cannot be reached at the moment.');
    default:
      return error.getStatus() < 500 ? new BadRequest('The request cannot be read.') : new InternalError(error);
  }
}

/** What may be a credential: no id is as long. */
const LONG_SECRET = /[A-Za-z0-9_-]{40,}/g;

/** The request's path, without query; of a path that carries a credential the pattern. A path that is no route is shown without what may be one. */
function instanceOf(request: Request): string {
  const { route } = request.constancia;
  if (route.secretPath) return route.template;
  const url = request.raw.url ?? '/';
  const path = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const end = path.search(/[?#]/);
  const shown = (end === -1 ? path : path.slice(0, end)) || '/';
  return route.pattern === UNMATCHED ? shown.replace(LONG_SECRET, '…') : shown;
}
