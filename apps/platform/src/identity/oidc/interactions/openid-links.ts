import type { TenantStanding } from '@constancia/contracts';
import type { CredentialHolder, PathCredentials, PathRequest } from '@constancia/http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Client, Interaction } from 'oidc-provider';
import { PlatformConfig } from '../../../config.ts';
import { PAGE_NONCE, PageBrowsers } from '../../page-browsers.ts';
import { INTERACTION_PATH, OIDC_PATH } from '../provider/oidc-issuer.ts';
import { OpenIdProvider } from '../provider/openid-provider.ts';
import { asProblem } from '../store/oidc-records.ts';
import { type InteractionAnswer, InteractionTickets } from './interaction-tickets.ts';

/** The kind of credential that the token of the page is (PathCredential). */
export const OPENID_LINK = 'openid';

/** What an interaction is called: 43 characters, as many as those of a nonce. */
export const OPENID_TOKEN = PAGE_NONCE;

/** Who asks for what. */
export interface OpenIdBearer extends CredentialHolder {
  interaction: Interaction;
  client: Client;
  /** The token of the browser that asks; null when it has none. */
  browser: string | null;
}

/** The interactions of the provider, as their page knows them. */
@Injectable()
export class OpenIdLinks implements PathCredentials {
  private readonly browsers: PageBrowsers;

  constructor(
    private readonly config: PlatformConfig,
    private readonly openid: OpenIdProvider,
    private readonly tickets: InteractionTickets,
  ) {
    this.browsers = new PageBrowsers(OPENID_LINK, config.personAddress);
  }

  /** Null: unknown, expired, over, or of a client that has been deleted or whose tenant is not active. */
  find(token: string, request: PathRequest): Promise<OpenIdBearer | null> {
    return this.found(token, request).catch(asProblem);
  }

  private async found(token: string, request: PathRequest): Promise<OpenIdBearer | null> {
    if (!OPENID_TOKEN.test(token)) return null;
    const { provider } = await this.openid.provider();
    const interaction = await provider.Interaction.find(token);
    if (interaction === undefined) return null;
    const client = await provider.Client.find(interaction.params.client_id as string);
    if (client === undefined) return null;
    const standing: TenantStanding = 'active';
    return { tenantId: client.tenant_id, standing, interaction, client, browser: this.browsers.in(request) };
  }

  /** The token of the browser; a new one, as a cookie for the paths of this page alone, when it has none. */
  browserOf({ interaction, browser }: OpenIdBearer, reply: FastifyReply): string {
    return this.browsers.ensure(browser, `/openid/${interaction.uid}`, reply);
  }

  /** Throws BadRequest unless it is the browser that read the state. */
  requireBrowser({ browser }: OpenIdBearer, nonce: string): void {
    this.browsers.require(browser, nonce);
  }

  /** Where the browser takes the answer of the person. */
  onward({ interaction: { uid } }: OpenIdBearer, answer: InteractionAnswer): string {
    const address = `${this.config.apiUrl}${OIDC_PATH}${INTERACTION_PATH}/${uid}`;
    return `${address}?ticket=${this.tickets.issue(uid, answer)}`;
  }
}
