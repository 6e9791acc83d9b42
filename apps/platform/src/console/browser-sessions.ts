import { isSameOrigin } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Forbidden, Unauthorized } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatformConfig } from '../config.ts';
import { type Browser, type ConsoleSession, ConsoleSessions, type OpenResult } from './console-sessions.ts';
import { consoleSessionView } from './console-session-view.ts';
import { sessionTokenOf, setSessionCookie } from './session-cookie.ts';

export const ENDED = 'No one is signed in: sign in again.';
/** The session that a page was opened for: since then another tab of the browser may have signed somebody else in. */
const PAGE_SESSION = 'x-console-session';
const FOREIGN = 'This request must come from a page of this host.';

/** The session of the browser that sends a request: its cookie, and what the page gets to see of it. For every method of sign-in. */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly config: PlatformConfig,
    private readonly sessions: ConsoleSessions,
  ) {}

  of(request: FastifyRequest): Browser {
    return { userAgent: request.headers['user-agent'] ?? 'unknown', ip: request.constancia.clientIp };
  }

  /**
   * Takes a sign-in over into the browser and answers its page: who is signed in, or `{required}`, the method that the tenant requires
   * instead. Ends the session that the browser had: signing in always gives another cookie.
   */
  async answer(request: FastifyRequest, reply: FastifyReply, result: OpenResult): Promise<object> {
    if (result.outcome === 'required') return { required: result.method };
    const former = sessionTokenOf(request, this.config.consoleUrl);
    if (former !== undefined) await this.sessions.end(former);
    const session = await this.sessions.find(result.token);
    if (session === null) throw new Unauthorized(ENDED);
    setSessionCookie(reply, this.config.consoleUrl, result.token);
    return consoleSessionView(session);
  }

  /** The session of a request of this host's pages. Throws Forbidden, Unauthorized. */
  async current(request: FastifyRequest): Promise<ConsoleSession> {
    requireSameOrigin(request);
    const token = sessionTokenOf(request, this.config.consoleUrl);
    const session = token === undefined ? null : await this.sessions.find(token);
    if (session === null || !isOfPage(request, session)) throw new Unauthorized(ENDED);
    return session;
  }

  /** Ends the session of the page that asks; the one that took its place in the browser stays. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = sessionTokenOf(request, this.config.consoleUrl);
    const session = token === undefined ? null : await this.sessions.find(token);
    if (session !== null && !isOfPage(request, session)) return;
    if (token !== undefined) await this.sessions.end(token);
    setSessionCookie(reply, this.config.consoleUrl, null);
  }
}

function isOfPage({ headers }: FastifyRequest, { id }: ConsoleSession): boolean {
  return headers[PAGE_SESSION] === undefined || headers[PAGE_SESSION] === typeId('mss', id);
}

/** Throws Forbidden. */
export function requireSameOrigin(request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw new Forbidden(FOREIGN);
}
