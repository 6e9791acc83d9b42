import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SecretBox, typeId, uuidv7 } from '@constancia/kernel';
import { Logger, Metrics } from '@constancia/telemetry';
import { type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { runningIdentity, type RunningIdentity } from '../running-identity.fixture.ts';
import { TokenKeys } from '../token-keys/token-keys.ts';
import { Wallets } from '../wallet/me/wallets.ts';
import { WalletIndex } from '../wallet/wallet-index.ts';
import { WalletKeys } from '../wallet/wallet-keys.ts';
import { CONTACT, sealForWallet, verificationRecord } from '../wallet/wallet-records.ts';
import { RegisteredClients } from './clients/registered-clients.ts';
import { Interactions } from './interactions/interactions.ts';
import { Accounts } from './provider/accounts.ts';
import { OpenIdProvider } from './provider/openid-provider.ts';
import { Releases } from './provider/releases.ts';
import { OidcRecords } from './store/oidc-records.ts';

export const REDIRECT = 'https://rp.example/callback';
/** What the person does next: their wallet, or a refusal. */
export type Person = { walletId: string; agrees?: boolean };

/** The OpenID provider on a port of its own, on the stores of a running platform. */
export class RunningOpenId {
  person: Person | undefined;

  private constructor(
    readonly store: TestDatabase,
    readonly platform: RunningIdentity,
    readonly openid: OpenIdProvider,
    private readonly server: http.Server,
    readonly url: string,
  ) {}

  static async start(store: TestDatabase): Promise<RunningOpenId> {
    const platform = await runningIdentity(store);
    const get = <T>(type: abstract new (...args: never[]) => T): T => platform.app.get<T>(type, { strict: false });
    const database = get(IdentityDatabase);
    const releases = new Releases(database, get(Metrics));
    const accounts = new Accounts(database, get(Wallets), releases, get(WalletIndex));
    const records = new OidcRecords(database, get(SecretBox));
    const clients = new RegisteredClients(database);
    const openid = new OpenIdProvider(get(PlatformConfig), get(TokenKeys), records, clients, accounts, get(Logger));
    const interactions = new Interactions(openid, releases, get(Wallets));
    let running: RunningOpenId | undefined = undefined;
    const server = http.createServer((request, response) => {
      const answer = (error: unknown) => response.writeHead(500).end(String(error));
      const uid = /^\/v1\/oidc\/interaction\/([^/?]+)/.exec(request.url ?? '')?.[1];
      if (uid === undefined) return void openid.handle(request, response).catch(answer);
      const exchange = { request, response, uid };
      const { person } = running as unknown as RunningOpenId;
      void (async () => {
        const { prompt } = await interactions.find(exchange);
        if (person?.agrees === false) return interactions.refuse(exchange);
        if (prompt.name === 'consent') return interactions.agree(exchange);
        return interactions.signIn(exchange, (person as Person).walletId);
      })().catch(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    running = new RunningOpenId(store, platform, openid, server, url);
    return running;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.platform.close();
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
    const key = await this.platform.app.get(WalletKeys, { strict: false }).create(walletId);
    const email = { email: 'ana@mail.example' };
    await this.store.query(
      `insert into identity.wallet (wallet_id, document_index, contact_index, wrapped_key, sealed, locale) values ($1, $2, $3, $4, $5, 'en')`,
      [walletId, randomBytes(32), randomBytes(32), key.wrapped, sealForWallet(key.plaintext, walletId, CONTACT, email)],
    );
    await this.verify(walletId, key.plaintext);
    return walletId;
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
    const { pathname, search } = new URL(address, this.openid.issuer);
    return fetch(`${this.url}${pathname}${search}`, { ...options, redirect: 'manual' });
  };
}

/** A browser: keeps cookies by name and path, and follows redirects of the provider. */
export class Browser {
  private readonly cookies = new Map<string, { value: string; path: string }>();

  constructor(private readonly running: RunningOpenId) {}

  /** Where the browser is sent in the end: to the relying party; or the answer that is no redirect. */
  async open(address: string): Promise<URL | Response> {
    let at = address;
    for (let hops = 0; hops < 10; hops++) {
      const { pathname } = new URL(at, this.running.openid.issuer);
      const sent = [...this.cookies].filter(([, { path }]) => pathname.startsWith(path));
      const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
      const answer = await this.running.fetch(at, { headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) this.keep(line);
      const location = answer.headers.get('location');
      if (location === null) return answer;
      const next = new URL(location, this.running.openid.issuer);
      if (next.origin !== new URL(this.running.openid.issuer).origin) return next;
      at = next.href;
    }
    throw new Error('too many redirects');
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/';
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, { value, path });
  }
}
