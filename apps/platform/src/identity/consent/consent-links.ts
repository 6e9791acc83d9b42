import { hashSecret } from '@constancia/auth';
import { CONSENT_TOKEN, type TenantStanding } from '@constancia/contracts';
import type { CredentialHolder, PathCredentials, PathRequest } from '@constancia/http';
import { Unauthorized } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { pageNonce, PageBrowsers } from '../page-browsers.ts';

/** The kind of credential that the token of a consent link is (PathCredential). */
export const CONSENT_LINK = 'consent';

/** Where the page of a request is: behind a link, with its token; or in a frame of an embed session, with the origin of the page around it. */
type ConsentPlace = { kind: 'link'; token: string } | { kind: 'frame'; origin: string | null };

/** Whose request a page shows. */
export interface ConsentBearer extends CredentialHolder {
  /** UUID. */
  presentationId: string;
  place: ConsentPlace;
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
    if (!row) return null;
    const { id: presentationId, tenant_id: tenantId, standing } = row;
    return { tenantId, standing, presentationId, place: { kind: 'link', token: link }, browser };
  }

  /** The token of the browser; behind a link a new one, as a cookie for the paths of this link alone, when it has none. */
  browserOf({ place, browser }: ConsentBearer, reply: FastifyReply): string {
    if (place.kind === 'link') return this.browsers.ensure(browser, `/consent/${place.token}`, reply);
    if (browser === null) throw new Unauthorized();
    return browser;
  }

  /** The browser that sends a request. Throws BadRequest unless it is the one that read the state. */
  requireBrowser({ browser }: ConsentBearer, nonce: string): string {
    return this.browsers.require(browser, nonce);
  }
}

/** What a page that read the state sends back. */
export const nonceOf = (browser: string): string => pageNonce(CONSENT_LINK, browser);
