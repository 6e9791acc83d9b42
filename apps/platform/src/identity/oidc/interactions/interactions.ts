import type { IncomingMessage, ServerResponse } from 'node:http';
import { InsufficientCreditsError } from '@constancia/credit-ledger';
import { uuidOf } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { errors, type Grant, type Interaction, type Provider } from 'oidc-provider';
import { Wallets } from '../../wallet/me/wallets.ts';
import { ACR_CODE } from '../provider/oidc-issuer.ts';
import { OpenIdProvider } from '../provider/openid-provider.ts';
import { Releases } from '../provider/releases.ts';
import { requestedClaims, type VerifiedClaimsRequest } from '../provider/verified-claims.ts';

/** A request of the browser in which the person is asked. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Of the interaction, as the address has it. */
  uid: string;
}

/** What a relying party asks of a person: to sign in, or to agree. Every answer redirects the browser back to the provider. */
@Injectable()
export class Interactions {
  constructor(
    private readonly openid: OpenIdProvider,
    private readonly releases: Releases,
    private readonly wallets: Wallets,
  ) {}

  /** Throws NotFound for a browser in which this interaction was not begun, and once it is over. */
  async find({ request, response, uid }: Exchange): Promise<Interaction> {
    const { provider } = await this.openid.provider();
    const interaction = await provider.interactionDetails(request, response).catch((error: unknown) => {
      if (error instanceof errors.SessionNotFound) throw new NotFound();
      throw error;
    });
    if (interaction.uid !== uid) throw new NotFound();
    return interaction;
  }

  /** The person has proved that the wallet is theirs. */
  async signIn(exchange: Exchange, walletId: string): Promise<void> {
    await this.require(exchange, 'login');
    const login = { accountId: walletId, acr: ACR_CODE, amr: ['otp'], remember: true };
    await this.finish(exchange, { login });
  }

  /** The person agrees to everything that is asked for. What has not been released yet is paid by the tenant, or nothing is. */
  async agree(exchange: Exchange): Promise<void> {
    const interaction = await this.require(exchange, 'consent');
    const { provider } = await this.openid.provider();
    const accountId = interaction.session?.accountId;
    if (accountId === undefined) throw new NotFound();
    if (verificationRequest(interaction) !== undefined && !(await this.released(provider, interaction, accountId))) {
      const error_description = 'the verification cannot be released at present';
      return this.finish(exchange, { error: 'temporarily_unavailable', error_description });
    }
    const grant = await grantOf(provider, interaction, accountId);
    await this.finish(exchange, { consent: { grantId: await grant.save() } });
  }

  async refuse(exchange: Exchange): Promise<void> {
    await this.find(exchange);
    await this.finish(exchange, { error: 'access_denied', error_description: 'the person did not agree' });
  }

  /** False: the tenant's credits do not cover it. A wallet without a verification has nothing to release. */
  private async released(provider: Provider, { params }: Interaction, walletId: string): Promise<boolean> {
    const client = await provider.Client.find(params.client_id as string);
    if (client === undefined) throw new NotFound();
    const { verifications } = await this.wallets.open(walletId);
    if (verifications[0] === undefined) return true;
    const clientId = uuidOf('oic', client.clientId) as string;
    const to = { tenantId: client.tenant_id, clientId, walletId };
    try {
      await this.releases.release(to, verifications[0].id);
      return true;
    } catch (error) {
      if (error instanceof InsufficientCreditsError) return false;
      throw error;
    }
  }

  private async require(exchange: Exchange, prompt: 'login' | 'consent'): Promise<Interaction> {
    const interaction = await this.find(exchange);
    if (interaction.prompt.name !== prompt) throw new NotFound();
    return interaction;
  }

  private async finish({ request, response }: Exchange, result: Parameters<Provider['interactionFinished']>[2]) {
    const { provider } = await this.openid.provider();
    await provider.interactionFinished(request, response, result);
  }
}

/** The claims of a verification that the person is asked for; undefined: none are. */
export function verificationRequest({ params }: Interaction): string[] | undefined {
  const claims = JSON.parse(params.claims ?? '{}') as Record<string, Record<string, unknown> | undefined>;
  const asked = [claims.userinfo, claims.id_token].flatMap((members) =>
    members?.verified_claims === undefined ? [] : [members.verified_claims as VerifiedClaimsRequest],
  );
  if (asked.length === 0 && params.scope?.split(' ').includes('kyc')) asked.push(null);
  return asked.length === 0 ? undefined : [...new Set(asked.flatMap(requestedClaims))];
}

/** The grant with what was missing of it. */
async function grantOf(
  provider: Provider,
  { params, grantId, prompt }: Interaction,
  accountId: string,
): Promise<Grant> {
  const found = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = found ?? new provider.Grant({ accountId, clientId: params.client_id as string });
  const { missingOIDCScope, missingOIDCClaims, missingResourceScopes = {} } = prompt.details;
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
  if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims);
  for (const [resource, scopes] of Object.entries(missingResourceScopes))
    grant.addResourceScope(resource, scopes.join(' '));
  return grant;
}
