import { InternalError, type Problem, ValidationError } from '@constancia/problem-json';
import type { Logger } from '@constancia/telemetry';
import type { Reply, Request } from '../request/request-state.ts';

const PLACES: Readonly<Record<string, string>> = { query: 'in the query', path: 'in the path' };

/** An error on the ops listener: one sentence that says what is wrong, where, and what to do. An internal error is logged. */
export function refuseOperator(problem: Problem, error: unknown, { request, reply, logger }: Refusal): void {
  const isOurs = problem instanceof InternalError;
  if (isOurs) logger.error({ err: error, route: request.constancia.route.pattern }, 'an operation failed');
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  const text = isOurs ? 'This failed; the log of the process says why.' : sentenceOf(problem);
  if (problem.status === 429) void reply.headers(problem.headers);
  void reply
    .code(problem.status)
    .headers(OPS_HEADERS)
    .header('connection', 'close') // what is left of the request's body is not read
    .send(Buffer.from(JSON.stringify({ error: text })));
}

interface Refusal {
  request: Request;
  reply: Reply;
  logger: Logger;
}

/** The headers of every answer to an operator. */
export const OPS_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** Of a request that breaks several rules, the first. */
function sentenceOf(problem: Problem): string {
  if (!(problem instanceof ValidationError)) return problem.detail;
  const [first] = problem.errors;
  if (first === undefined) return problem.detail;
  const [, root = '', ...rest] = first.pointer.split('/');
  const place = PLACES[root];
  const name = (place === undefined ? [root, ...rest] : rest).join('/');
  const where = place ?? 'in the body';
  if (first.code === 'required') return `${name} is missing ${where}.`;
  if (first.code === 'unknown_member') return `${JSON.stringify(name.slice(0, 50))} is not known ${where}.`;
  return first.pointer === '' ? `The body: ${first.detail}` : `${name} ${where}: ${first.detail}`;
}
