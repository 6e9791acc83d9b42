import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BadRequest } from '@constancia/problem-json';
import type { ProblemFilter } from '../answers/problem-filter.ts';
import { headersForUnreadable } from './request-hooks.ts';
import { requestId } from '../request/request-id.ts';

const HEADERS_TOO_LARGE = 'HPE_HEADER_OVERFLOW';
const NEVER_ENDED = 'ERR_HTTP_REQUEST_TIMEOUT';

const answered = new WeakSet<Socket>();
/** How long a client may go on sending what could not be read, so that it gets to read the answer. */
const LINGER_MS = 1_000;

/** Answers bytes that are not an HTTP request, or one that never came to its end: there is no route and no key yet. */
export async function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  { server, filter }: { server: FastifyInstance; filter: ProblemFilter },
): Promise<void> {
  if (answered.has(socket)) return; // more of the same bytes
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  answered.add(socket);
  const id = requestId({ headers: {} });
  const headers = await headersForUnreadable(server, { socket, headers: {} });
  const [status, document] = documentOf(error.code, id, filter);
  const body = JSON.stringify(document);
  const head = [
    `HTTP/1.1 ${status}`,
    ...[...headers, ['x-request-id', id]].map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  if (!socket.writable) return void socket.destroy();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function documentOf(code: string | undefined, id: string, filter: ProblemFilter): [status: string, document: object] {
  if (code === NEVER_ENDED) {
    // RFC 9457 §4.2.1: no more than the status says. Clients know 408 as the one to send again.
    const detail = 'The request did not come to its end in time: send it again.';
    const title = 'Request Timeout';
    return ['408 Request Timeout', { type: 'about:blank', title, status: 408, detail, instance: '/', request_id: id }];
  }
  const detail = code === HEADERS_TOO_LARGE ? 'The headers are larger than 64 KB.' : 'This is no HTTP request.';
  return ['400 Bad Request', filter.documentOf(new BadRequest(detail), { instance: '/', requestId: id })];
}
