import { hashSecret } from '@constancia/auth';
import { cookieNamed, hostOf, isSameOrigin, needsTls, type PathRequest } from '@constancia/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SigningConfig } from '../config.ts';

/** A token of 256 random bits that one browser holds for one link: as a cookie on the sign host, else in a header. */
interface BrowserToken {
  header: string;
  cookie: string;
  maxAgeSeconds: number;
}

/** That a browser has authenticated: for as long as a proof is valid at most. */
export const PROOF: BrowserToken = { header: 'x-sign-proof', cookie: 'sign_proof', maxAgeSeconds: 8 * 3_600 };
/** That a browser started the check of an identity: for as long as an envelope is open at most. */
export const CLAIM: BrowserToken = {
  header: 'x-identity-claim',
  cookie: 'identity_claim',
  maxAgeSeconds: 365 * 86_400,
};

/** What a token looks like: 43 characters of base64url. */
export const BROWSER_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** SHA-256 of the token that came with a request; null when there is none, or none that counts. */
export function tokenHashOf({ header, cookie }: BrowserToken, request: PathRequest): Buffer | null {
  const sent = request.headers[header];
  if (typeof sent === 'string') return BROWSER_TOKEN.test(sent) ? hashSecret(sent) : null;
  if (request.host !== 'page' || !isSameOrigin(request)) return null;
  const token = cookieNamed(cookie, BROWSER_TOKEN, request);
  return token === undefined ? null : hashSecret(token);
}

/**
 * Gives the page on the sign host its token as a cookie; integrators' own pages hold the token. It is sent to the paths of its own link
 * alone, so that two links in one browser do not mix.
 */
export function setTokenCookie(
  { cookie, maxAgeSeconds }: BrowserToken,
  { request, reply, config }: { request: FastifyRequest; reply: FastifyReply; config: SigningConfig },
  token: string,
): void {
  if (hostOf(request.raw) !== 'page') return;
  const { token: linkToken } = request.params as { token: string };
  const attributes = [
    `${cookie}=${token}`,
    `Path=/v1/sign/${linkToken}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(needsTls(config.signUrl) ? ['Secure'] : []),
  ];
  reply.header('Set-Cookie', attributes.join('; '));
}
