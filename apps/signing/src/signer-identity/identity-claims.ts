import { cookieNamed, hostOf, isSameOrigin, needsTls } from '@constancia/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SigningConfig } from '../config.ts';
import { hashOf } from '../signer-requests/signer-proofs.ts';
import type { IdentityCheck } from './identity-check.entity.ts';

const HEADER = 'x-identity-claim';
const COOKIE = 'identity_claim';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** An envelope is open that long at most. */
const MAX_AGE_SECONDS = 365 * 86_400;

/** Whether a request comes from the browser that began a check. */
export function holdsClaim(request: FastifyRequest, check: IdentityCheck | null): check is IdentityCheck {
  const hash = claimHashOf(request);
  return hash !== null && check !== null && check.claim_hash.equals(hash);
}

function claimHashOf(request: FastifyRequest): Buffer | null {
  const header = request.headers[HEADER];
  if (typeof header === 'string') return TOKEN.test(header) ? hashOf(header) : null;
  if (hostOf(request.raw) !== 'page' || !isSameOrigin(request)) return null;
  const token = cookieNamed(COOKIE, TOKEN, request);
  return token === undefined ? null : hashOf(token);
}

/** Gives the page on the sign host its claim as a cookie; integrators' own pages hold the token. */
export function setClaimCookie(
  { request, reply, config }: { request: FastifyRequest; reply: FastifyReply; config: SigningConfig },
  claim: string,
): void {
  if (hostOf(request.raw) !== 'page') return;
  const { token } = request.params as { token: string };
  const attributes = [
    `${COOKIE}=${claim}`,
    `Path=/v1/sign/${token}`,
    `Max-Age=${MAX_AGE_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  reply.header('Set-Cookie', [...attributes, ...(needsTls(config.signUrl) ? ['Secure'] : [])].join('; '));
}
