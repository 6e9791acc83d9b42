import { createHash, randomBytes } from 'node:crypto';
import type { OpenIdState } from '@constancia/contracts';
import { typeId, uuidv7 } from '@constancia/kernel';
import { type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { PlatformConfig } from '../../config.ts';
import { someIp } from '../../running-platform.fixture.ts';
import { runningIdentity, type RunningIdentity } from '../running-identity.fixture.ts';
import { WalletKeys } from '../wallet/wallet-keys.ts';
import { CONTACT, sealForWallet, verificationRecord } from '../wallet/wallet-records.ts';
import { type OpenIdBearer, OpenIdLinks } from './interactions/openid-links.ts';
import { OpenIdStates } from './interactions/openid-states.ts';
import { OpenIdProvider } from './provider/openid-provider.ts';

export const REDIRECT = 'https://rp.example/callback';
/** What the person does next: their wallet, or a refusal. */
export type Person = { walletId: string; agrees?: boolean };

/** The OpenID provider of a running platform. What persons do on the page is said by the test. */
export class RunningOpenId {
  person: Person | undefined;
  readonly issuer: string;

  private constructor(
    readonly store: TestDatabase,
    readonly platform: RunningIdentity,
  ) {
    this.issuer = this.get(OpenIdProvider).issuer;
  }

  static async start(store: TestDatabase): Promise<RunningOpenId> {
    return new RunningOpenId(store, await runningIdentity(store));
  }

  get url(): string {
    return this.platform.url;
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.platform.app.get<T>(type, { strict: false });
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  /** Where the page of an interaction leads on to, once the person has answered. */
  async answered(uid: string): Promise<string> {
    const links = this.get(OpenIdLinks);
    const bearer = await this.bearer(uid);
    const { person } = this;
    if (person === undefined || person.agrees === false) return links.onward(bearer, { kind: 'refuse' });
    if (bearer.interaction.prompt.name === 'login') {
      return links.onward(bearer, { kind: 'sign_in', walletId: person.walletId, method: 'code' });
    }
    const states = this.get(OpenIdStates);
    const { text } = await states.state(bearer, 'browser', 'en');
    const origin = { ip: '192.0.2.1', userAgent: null };
    return links.onward(bearer, { kind: 'agree', text: await states.agreed(bearer, text ?? {}, origin) });
  }

  /** What the page of an interaction shows. */
  async shown(uid: string): Promise<OpenIdState> {
    return this.get(OpenIdStates).state(await this.bearer(uid), 'browser', 'en');
  }

  private async bearer(uid: string): Promise<OpenIdBearer> {
    const { personAddress: host } = this.get(PlatformConfig);
    const bearer = await this.get(OpenIdLinks).find(uid, { method: 'GET', headers: { host }, host: 'person' });
    if (bearer === null) throw new Error('no such interaction');
    return bearer;
  }

  tenant(credits = 1_000): Promise<TestTenant> {
    return testTenant(this.store, { credits });
  }

  /** A client of a tenant: a page with a secret, unless said otherwise. */
  async client(tenant: TestTenant, given: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
    const secret = randomBytes(32).toString('base64url');
    const row = {
      ...{ id: uuidv7(), tenant_id: tenant.id, name: randomBytes(6).toString('hex'), type: 'web' },
      ...{
        token_endpoint_auth_method: 'client_secret_basic',
        redirect_uris: [REDIRECT],
        post_logout_redirect_uris: [],
      },
      ...{ scopes: ['openid', 'profile', 'email', 'kyc', 'offline_access'], dpop_required: false, par_required: false },
      secret_sha256: createHash('sha256').update(secret).digest(),
      ...given,
    };
    const names = Object.keys(row);
    await this.store.query(
      `insert into identity.oidc_client (${names.join(', ')}) values (${names.map((_name, nth) => `$${nth + 1}`).join(', ')})`,
      Object.values(row),
    );
    return { id: typeId('oic', row.id), secret };
  }

  async wallet(): Promise<string> {
    const walletId = uuidv7();
    const key = await this.get(WalletKeys).create(walletId);
    const email = { email: 'ana@mail.example' };
    await this.store.query(
      `insert into identity.wallet (wallet_id, document_index, contact_index, wrapped_key, sealed, locale) values ($1, $2, $3, $4, $5, 'en')`,
      [walletId, randomBytes(32), randomBytes(32), key.wrapped, sealForWallet(key.plaintext, walletId, CONTACT, email)],
    );
    await this.verify(walletId, key.plaintext);
    return walletId;
  }

  /** A later verification of the wallet. */
  async verifyAgain(walletId: string): Promise<void> {
    const [row] = await this.store.query<{ wrapped_key: Buffer }>(
      'select wrapped_key from identity.wallet where wallet_id = $1',
      [walletId],
    );
    await this.verify(walletId, await this.get(WalletKeys).unwrap(walletId, row?.wrapped_key as Buffer));
  }

  private async verify(walletId: string, key: Buffer): Promise<void> {
    const id = uuidv7();
    const kept = {
      ...{ document_type: 'CC', document_country: 'CO', document_number: '1098765432' },
      ...{ full_name: 'ANA RUIZ', birth_date: '1987-04-12', verified_for: 'Banco' },
    };
    await this.store.query(
      `insert into identity.wallet_verification (id, wallet_id, level, sealed, verified_at) values ($1, $2, 'document_face', $3, now())`,
      [id, walletId, sealForWallet(key, walletId, verificationRecord(id), kept)],
    );
  }

  /** A request to the provider, whose issuer is another address. */
  fetch = (address: string, options: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(address, this.issuer);
    const headers = new Headers(options.headers);
    headers.set('x-forwarded-for', someIp());
    return fetch(`${this.url}${pathname}${search}`, { ...options, headers, redirect: 'manual' });
  };
}

/** A browser: keeps cookies by name and path, and follows redirects of the provider. */
export class Browser {
  private readonly cookies = new Map<string, { value: string; path: string }>();

  constructor(private readonly running: RunningOpenId) {}

  /** Where the browser is sent in the end: to the relying party; or the answer that is no redirect. */
  async open(address: string): Promise<URL | Response> {
    let at = address;
    for (let hops = 0; hops < 12; hops++) {
      const answer = await this.fetch(at);
      const location = answer.headers.get('location');
      if (location === null) return answer;
      const next = new URL(location, this.running.issuer);
      const uid = /^\/openid\/([^/]+)$/.exec(next.pathname)?.[1];
      if (uid !== undefined) at = await this.running.answered(uid);
      else if (next.origin === new URL(this.running.issuer).origin) at = next.href;
      else return next;
    }
    throw new Error('too many redirects');
  }

  /** One request, with the cookies of the browser. */
  async fetch(address: string, options: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(address, this.running.issuer);
    const sent = [...this.cookies].filter(([, { path }]) => pathname.startsWith(path));
    const headers = new Headers(options.headers);
    headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
    const answer = await this.running.fetch(address, { ...options, headers });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return answer;
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/';
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, { value, path });
  }
}
