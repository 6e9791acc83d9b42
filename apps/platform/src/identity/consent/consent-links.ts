import { hashSecret } from '@constancia/auth';
import { CONSENT_TOKEN, type TenantStanding } from '@constancia/contracts';
import type { CredentialHolder, PathCredentials, PathRequest } from '@constancia/http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { pageNonce, PageBrowsers } from '../page-browsers.ts';

/** The kind of credential that the token of a consent link is (PathCredential). */
export const CONSENT_LINK = 'consent';

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
  private readonly browsers: PageBrowsers;

  constructor(
    config: PlatformConfig,
    private readonly database: IdentityDatabase,
  ) {
    this.browsers = new PageBrowsers(CONSENT_LINK, config.personAddress);
  }

  async find(link: string, request: PathRequest): Promise<ConsentBearer | null> {
    if (!CONSENT_TOKEN.test(link)) return null;
    const browser = this.browsers.in(request);
    const [row] = await this.database.query<FoundLink>(
      'select p.*, platform_v1.tenant_standing(p.tenant_id) as standing from identity.find_presentation($1, $2) p',
      [hashSecret(link), browser === null ? null : hashSecret(browser)],
    );
    return row ? { tenantId: row.tenant_id, standing: row.standing, presentationId: row.id, link, browser } : null;
  }

  /** The token of the browser; a new one, as a cookie for the paths of this link alone, when it has none. */
  browserOf({ link, browser }: ConsentBearer, reply: FastifyReply): string {
    return this.browsers.ensure(browser, `/consent/${link}`, reply);
  }

  /** The browser that sends a request. Throws BadRequest unless it is the one that read the state. */
  requireBrowser({ browser }: ConsentBearer, nonce: string): string {
    return this.browsers.require(browser, nonce);
  }
}

/** What a page that read the state sends back. */
export const nonceOf = (browser: string): string => pageNonce(CONSENT_LINK, browser);
