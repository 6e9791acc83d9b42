import { cookieNamed, needsTls } from '@constancia/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION } from './console-sessions.ts';

const VALUE = /^[A-Za-z0-9_-]{43}$/;

/** The prefix makes browsers refuse one that another host set; they take it only over TLS, which a page on this machine does not need. */
const nameFor = (consoleUrl: string): string =>
  needsTls(consoleUrl) ? '__Host-constancia_console' : 'constancia_console';

/** The value of the session's cookie. */
export function sessionTokenOf(request: FastifyRequest, consoleUrl: string): string | undefined {
  return cookieNamed(nameFor(consoleUrl), VALUE, request);
}

/** Sets the cookie of a new session in place of any former one; null removes it. */
export function setSessionCookie(reply: FastifyReply, consoleUrl: string, token: string | null): void {
  const attributes = [
    `${nameFor(consoleUrl)}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === null ? 0 : SESSION.maxSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(needsTls(consoleUrl) ? ['Secure'] : []),
  ];
  reply.header('Set-Cookie', attributes.join('; '));
}
