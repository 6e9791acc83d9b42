import type { TestStack } from '@constancia/testing';
import * as client from 'openid-client';
import type { Integrator } from '../deployment.fixture.ts';
import { type Answer, ANSWERED_WITHIN_MS, PersonBrowser, someAddress } from './person-browser.fixture.ts';

export const REDIRECT = 'https://rp.example/callback';
export const AFTER_LOGOUT = 'https://rp.example/bye';
/** What is checked when the code is redeemed. */
const CHECKS = { state: 's-1', nonce: 'n-1' };

type ClientBody = Record<string, unknown>;

/** A sign-in that has come back to the relying party. */
export interface SignedIn {
  config: client.Configuration;
  verifier: string;
  callback: URL;
}

/** A client of a tenant, with its secret. */
export interface RegisteredClient {
  client_id: string;
  client_secret?: string;
}

/** A person and the applications of a tenant: what every check is made with. */
export class RelyingParty {
  readonly issuer: string;
  private known: Promise<client.Configuration> | undefined;

  constructor(
    readonly stack: TestStack,
    readonly tenant: Pick<Integrator, 'tenantId' | 'apiKey' | 'platform'>,
    /** Signed in already. */
    readonly person: PersonBrowser,
    readonly email: string,
  ) {
    this.issuer = `${stack.baseUrl}/v1/oidc`;
  }

  /** With another tenant's clients. */
  of(tenant: Integrator): RelyingParty {
    return new RelyingParty(this.stack, tenant, this.person, this.email);
  }

  /** Registers a client through the API: a server that may ask for everything, unless said otherwise. */
  async register(given: ClientBody = {}): Promise<RegisteredClient> {
    const answer = await fetch(`${this.issuer}/clients`, {
      method: 'POST',
      headers: { 'x-api-key': this.tenant.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ name: `Shop ${crypto.randomUUID().slice(0, 8)}`, type: 'web', redirect_uris: [REDIRECT] },
        ...{ post_logout_redirect_uris: [AFTER_LOGOUT] },
        scopes: ['openid', 'profile', 'email', 'kyc', 'offline_access'],
        ...given,
      }),
    });
    if (answer.status !== 201) throw new Error(`registering answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as RegisteredClient;
  }

  /** The same client each time: it has a secret, and may ask for everything. */
  usual(): Promise<client.Configuration> {
    this.known ??= this.configured();
    return this.known;
  }

  /** A relying party on the library openid-client. */
  async configured(given: ClientBody = {}, auth?: client.ClientAuth): Promise<client.Configuration> {
    const { client_id, client_secret } = await this.register(given);
    const usual = client_secret === undefined ? client.None() : client.ClientSecretBasic(client_secret);
    return this.discovered(client_id, auth ?? usual);
  }

  discovered(clientId: string, auth: client.ClientAuth): Promise<client.Configuration> {
    return client.discovery(new URL(this.issuer), clientId, {}, auth, {
      [client.customFetch]: ((url: string, options: RequestInit) => this.fetch(url, options)) as never,
      execute: [client.allowInsecureRequests],
    });
  }

  /** A request of the relying party's server. */
  fetch(address: string, options: RequestInit = {}): Promise<Response> {
    const headers = new Headers(options.headers);
    for (const [name, value] of Object.entries(someAddress())) headers.set(name, value);
    const signal = options.signal ?? AbortSignal.timeout(ANSWERED_WITHIN_MS);
    return fetch(address, { ...options, headers, signal, redirect: 'manual' });
  }

  async parameters(verifier: string, more: Record<string, string> = {}): Promise<Record<string, string>> {
    return {
      ...{ redirect_uri: REDIRECT, scope: 'openid', state: CHECKS.state, nonce: CHECKS.nonce },
      ...{ code_challenge_method: 'S256', code_challenge: await client.calculatePKCECodeChallenge(verifier) },
      ...more,
    };
  }

  /** Sends the person's browser, which comes back. */
  async signIn(
    config: client.Configuration,
    more: Record<string, string> = {},
    browser: PersonBrowser = this.person,
  ): Promise<SignedIn> {
    const verifier = client.randomPKCECodeVerifier();
    const address = client.buildAuthorizationUrl(config, await this.parameters(verifier, more));
    const callback = await browser.open(address.href);
    if (callback instanceof Response) throw new Error(`${callback.status} ${await callback.text()}`);
    return { config, verifier, callback };
  }

  redeem({ config, verifier, callback }: SignedIn, options?: client.DPoPOptions, more?: Record<string, string>) {
    const checks = { pkceCodeVerifier: verifier, expectedState: CHECKS.state, expectedNonce: CHECKS.nonce };
    return client.authorizationCodeGrant(config, callback, checks, more, options);
  }

  /** Both, in one. */
  async tokens(config: client.Configuration, more: Record<string, string> = {}, browser?: PersonBrowser) {
    return this.redeem(await this.signIn(config, more, browser ?? this.person));
  }

  /** What comes of a request that was changed: the error that the browser is sent back with, or the status and error of a problem. */
  async refusal(config: client.Configuration, change: (url: URL) => void, answer: Answer = 'agree'): Promise<string> {
    const url = client.buildAuthorizationUrl(config, await this.parameters(client.randomPKCECodeVerifier()));
    change(url);
    this.person.answer = answer;
    const result = await this.person.open(url.href).finally(() => (this.person.answer = 'agree'));
    if (result instanceof URL) {
      const given = result.hash === '' ? result.searchParams : new URLSearchParams(result.hash.slice(1));
      return given.get('error') ?? 'none';
    }
    const type = result.headers.get('content-type') ?? '';
    if (!type.includes('application/problem+json')) throw new Error(`${result.status} ${type}`);
    return `${result.status} ${((await result.json()) as { error?: string }).error}`;
  }

  /** Posts a form to an endpoint below the issuer. */
  post(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(`${this.issuer}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
  }

  async balance(): Promise<number> {
    const { data } = await this.tenant.platform.GET('/v1/billing/balance');
    return data?.available as number;
  }
}

export const basic = ({ client_id, client_secret }: RegisteredClient): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
});

/** Sixteen at once: how many succeeded. */
export async function succeeded(work: () => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: 16 }, work));
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

/** A request that has begun: the address of the page, and the browser that began it. */
export async function begun(party: RelyingParty, more: Record<string, string> = {}, browser = party.person.stranger()) {
  const config = await party.usual();
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, await party.parameters(verifier, more));
  const interaction = (await browser.fetch(url.href)).headers.get('location') as string;
  const api = new URL(interaction, party.stack.baseUrl).href;
  const page = (await browser.fetch(api)).headers.get('location') as string;
  return { browser, api, page, uid: page.slice(page.lastIndexOf('/') + 1) };
}
