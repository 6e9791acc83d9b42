import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { CONSENT_TOKEN, type TenantStanding } from '@constancia/contracts';
import { cookieNamed, type CredentialHolder, needsTls, type PathCredentials, type PathRequest } from '@constancia/http';
import { BadRequest } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';

/** The kind of credential that the token of a consent link is (PathCredential). */
export const CONSENT_LINK = 'consent';

const COOKIE = 'constancia_consent';
/** 32 random bytes, base64url. */
const BROWSER = /^[A-Za-z0-9_-]{43}$/;
/** As long as a request can be answered. */
const SECONDS = 900;

/** Whose request a link leads to. */
export interface ConsentBearer extends CredentialHolder {
  /** UUID. */
  presentationId: string;
  /** The token in the link. */
  link: string;
  /** The token of the browser that asks; null when it has none. */
  browser: string | null;
}

interface FoundLink {
  id: string;
  tenant_id: string;
  standing: TenantStanding;
}

/**
 * The links of requests. One that is unknown, expired, used or ended by wrong codes is nobody's; only the browser that proved whose the wallet
 * is can see how the request ended.
 */
@Injectable()
export class ConsentLinks implements PathCredentials {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
  ) {}

  async find(link: string, request: PathRequest): Promise<ConsentBearer | null> {
    if (!CONSENT_TOKEN.test(link)) return null;
    const browser = cookieNamed(COOKIE, BROWSER, request) ?? null;
    const [row] = await this.database.query<FoundLink>(
      'select p.*, platform_v1.tenant_standing(p.tenant_id) as standing from identity.find_presentation($1, $2) p',
      [hashSecret(link), browser === null ? null : hashSecret(browser)],
    );
    return row ? { tenantId: row.tenant_id, standing: row.standing, presentationId: row.id, link, browser } : null;
  }

  /** The token of the browser; a new one, as a cookie for the paths of this link alone, when it has none. */
  browserOf({ link, browser }: ConsentBearer, reply: FastifyReply): string {
    if (browser !== null) return browser;
    const token = randomBytes(32).toString('base64url');
    const attributes = [
      `${COOKIE}=${token}`,
      `Path=/consent/${link}`,
      `Max-Age=${SECONDS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(needsTls(this.config.personAddress) ? ['Secure'] : []),
    ];
    reply.header('Set-Cookie', attributes.join('; '));
    return token;
  }
}

/** What a page that read the state sends back: nobody can derive it who does not have the cookie. */
export const nonceOf = (browser: string): string => hashSecret(`consent nonce|${browser}`).toString('base64url');

/** The browser that sends a request. Throws BadRequest unless it is the one that read the state. */
export function requireBrowser({ browser }: ConsentBearer, nonce: string): string {
  if (browser !== null && nonceOf(browser) === nonce) return browser;
  throw new BadRequest('Send the nonce of the state, from the browser that read it.');
}
