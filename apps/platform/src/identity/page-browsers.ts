import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { cookieNamed, needsTls, type PathRequest } from '@constancia/http';
import { BadRequest } from '@constancia/problem-json';
import type { FastifyReply } from 'fastify';

/** 32 random bytes, base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** As long as what is asked for on such a page can be answered. */
const SECONDS = 900;

/** What a nonce looks like. */
export const PAGE_NONCE = TOKEN;

/** What a page of this kind that read the state sends back: nobody can derive it who does not have the cookie. */
export const pageNonce = (kind: string, browser: string): string =>
  hashSecret(`${kind} nonce|${browser}`).toString('base64url');

/** Tells the browsers apart that open a page of one thing, each by a cookie for the paths of that thing alone. */
export class PageBrowsers {
  /**
   * @param kind of the page: browsers of another kind are others
   * @param address of the person host
   */
  constructor(
    private readonly kind: string,
    private readonly address: string,
  ) {}

  /** The token of the browser; null when it has none. */
  in(request: Pick<PathRequest, 'headers'>): string | null {
    return cookieNamed(this.cookie, TOKEN, request) ?? null;
  }

  /** The token of the browser; a new one, as a cookie for the paths below this one, when it has none. */
  ensure(browser: string | null, path: string, reply: FastifyReply): string {
    if (browser !== null) return browser;
    const token = randomBytes(32).toString('base64url');
    const attributes = [
      `${this.cookie}=${token}`,
      `Path=${path}`,
      `Max-Age=${SECONDS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(needsTls(this.address) ? ['Secure'] : []),
    ];
    reply.header('Set-Cookie', attributes.join('; '));
    return token;
  }

  /** The browser that sends a request. Throws BadRequest unless it is the one that read the state. */
  require(browser: string | null, nonce: string): string {
    if (browser !== null && pageNonce(this.kind, browser) === nonce) return browser;
    throw new BadRequest('Send the nonce of the state, from the browser that read it.');
  }

  private get cookie(): string {
    return `constancia_${this.kind}`;
  }
}
