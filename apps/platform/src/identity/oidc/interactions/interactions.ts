import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { InsufficientCreditsError } from '@constancia/credit-ledger';
import { NotFound, Unauthorized } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { errors, type Grant, type Interaction, type Provider } from 'oidc-provider';
import { type KeptWallet, Wallets } from '../../wallet/me/wallets.ts';
import type { WalletSignInMethod } from '../../wallet/sessions/wallet-session.entity.ts';
import { Accounts, clientUuid } from '../provider/accounts.ts';
import { ACR } from '../provider/oidc-issuer.ts';
import { OpenIdProvider } from '../provider/openid-provider.ts';
import { type Agreement, Releases } from '../provider/releases.ts';
import { asProblem } from '../store/oidc-records.ts';
import { verifiedClaims } from '../provider/verified-claims.ts';
import { askedClaims } from './asked-claims.ts';
import type { InteractionAnswer } from './interaction-tickets.ts';

/** A request of the browser in which the person is asked. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Of the interaction, as the address has it. */
  uid: string;
}

/** RFC 8176. */
const AMR: Record<WalletSignInMethod, string[]> = { code: ['otp'], passkey: ['pop', 'user'] };

/** What a relying party asks of a person: to sign in, or to agree. Every answer redirects the browser back to the provider. */
@Injectable()
export class Interactions {
  constructor(
    private readonly openid: OpenIdProvider,
    private readonly releases: Releases,
    private readonly wallets: Wallets,
    private readonly accounts: Accounts,
  ) {}

  /** Throws NotFound for a browser in which this interaction was not begun, and once it is over. */
  async find({ request, response, uid }: Exchange): Promise<Interaction> {
    const { provider } = await this.openid.provider();
    const interaction = await provider.interactionDetails(request, response).catch(over);
    if (interaction.uid !== uid) throw new NotFound();
    return interaction;
  }

  /** Sends the browser on with the person's answer. Throws NotFound as `find` does, and for an answer to something else. */
  answer(exchange: Exchange, answer: InteractionAnswer): Promise<void> {
    return this.answered(exchange, answer).catch(asProblem);
  }

  private async answered(exchange: Exchange, answer: InteractionAnswer): Promise<void> {
    const interaction = await this.find(exchange);
    switch (answer.kind) {
      case 'sign_in':
        return this.signIn(exchange, interaction, answer);
      case 'agree':
        return this.agree(exchange, interaction, answer.text);
      case 'refuse':
        return this.finish(exchange, { error: 'access_denied', error_description: 'the person did not agree' });
    }
  }

  private async signIn(
    exchange: Exchange,
    { prompt }: Interaction,
    { walletId, method }: { walletId: string; method: WalletSignInMethod },
  ): Promise<void> {
    if (prompt.name !== 'login') throw new NotFound();
    const login = { accountId: walletId, acr: ACR[method], amr: AMR[method], remember: true };
    await this.finish(exchange, { login });
  }

  /** The person agrees to everything that is asked for. What has not been released yet is paid by the tenant, or nothing is. */
  private async agree(exchange: Exchange, interaction: Interaction, text: Agreement | null): Promise<void> {
    const { prompt, session } = interaction;
    const walletId = session?.accountId;
    if (prompt.name !== 'consent' || walletId === undefined) throw new NotFound();
    const { provider } = await this.openid.provider();
    const signedIn = session?.uid === undefined ? undefined : await provider.Session.findByUid(session.uid);
    if (!(await this.accounts.isSignedIn(walletId, signedIn?.loginTs))) throw new NotFound();
    const grant = await grantOf(provider, interaction, walletId);
    if (!(await this.recorded(provider, interaction, { walletId, grantId: grant.jti as string, text }))) {
      const error_description = 'the verification cannot be released at present';
      return this.finish(exchange, { error: 'temporarily_unavailable', error_description });
    }
    await grant.save();
    await this.finish(exchange, { consent: { grantId: grant.jti as string } });
  }

  /** False: the tenant's credits do not cover it. */
  private async recorded(
    provider: Provider,
    interaction: Interaction,
    { walletId, grantId, text }: { walletId: string; grantId: string; text: Agreement | null },
  ): Promise<boolean> {
    const { names, verified } = askedClaims(interaction);
    if (names.length === 0) return true;
    const client = await provider.Client.find(interaction.params.client_id as string);
    if (client === undefined || text === null) throw new NotFound();
    const wallet = await this.wallets.openKept(walletId).catch((error: unknown) => {
      throw error instanceof Unauthorized ? new NotFound() : error; // erased just now
    });
    const verification = releasable(wallet, verified);
    const to = { tenantId: client.tenant_id, clientId: clientUuid(client), walletId };
    try {
      await this.releases.record(to, { wallet, verification, claims: names, grantId, text });
      return true;
    } catch (error) {
      if (error instanceof InsufficientCreditsError) return false;
      throw error;
    }
  }

  private async finish({ request, response }: Exchange, result: Parameters<Provider['interactionFinished']>[2]) {
    const { provider } = await this.openid.provider();
    await provider.interactionFinished(request, response, result).catch(over);
  }
}

/** The interaction ended, or was begun in another browser. */
function over(error: unknown): never {
  if (error instanceof errors.SessionNotFound) throw new NotFound();
  return asProblem(error);
}

/** The verification of which something answers one of the requests; undefined: nothing is released, so nothing is paid. */
function releasable(wallet: KeptWallet, requests: ReturnType<typeof askedClaims>['verified']) {
  const [latest] = wallet.verifications;
  if (latest === undefined) return undefined;
  const facts = { kept: wallet.kept(latest), level: latest.level, verifiedAt: latest.verified_at, process: '' };
  return requests.some((request) => verifiedClaims(facts, request) !== null) ? latest : undefined;
}

/** The grant with what was missing of it. */
async function grantOf(
  provider: Provider,
  { params, grantId, prompt }: Interaction,
  accountId: string,
): Promise<Grant> {
  const found = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = found ?? new provider.Grant({ accountId, clientId: params.client_id as string });
  grant.jti ??= randomBytes(32).toString('base64url');
  const { missingOIDCScope, missingOIDCClaims, missingResourceScopes = {} } = prompt.details;
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
  if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims);
  for (const [resource, scopes] of Object.entries(missingResourceScopes))
    grant.addResourceScope(resource, scopes.join(' '));
  return grant;
}
