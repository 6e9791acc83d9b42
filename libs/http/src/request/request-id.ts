import type { IncomingMessage } from 'node:http';
import { uuidv7 } from '@constancia/kernel';

const ACCEPTED = /^[A-Za-z0-9_-]{8,64}$/;

/** The caller's X-Request-Id when it is one of ours in form, else a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : uuidv7();
}
