import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider that answers exactly what a test says, right or wrong. */
export class RawProvider {
  /** Replaces members of the discovery document; undefined removes one. */
  metadata: Record<string, unknown> = {};
  /** Answers instead of the discovery document. */
  discovery: ((response: http.ServerResponse) => void) | null = null;
  /** Replaces claims of the ID token; undefined removes one. */
  claims: Record<string, unknown> = {};
  userinfo: Record<string, unknown> = {};
  /** How the ID token is signed. */
  signing: 'RS256' | 'none' | 'HS256' | 'another key' | 'altered' = 'RS256';
  /** Status of the token endpoint. */
  tokenStatus = 200;
  tokenCalls = 0;
  nonce = '';
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly server = http.createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<RawProvider> {
    const provider = new RawProvider();
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The address with which the provider would send the browser back. */
  callback(location: string, params: Record<string, string | undefined> = {}): string {
    const asked = new URL(location).searchParams;
    this.nonce = asked.get('nonce') ?? '';
    const all = { code: 'a-code', state: asked.get('state') ?? '', iss: this.issuer, ...params };
    const query = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return `${asked.get('redirect_uri')}?${new URLSearchParams(query)}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private document(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  private answer({ url }: http.IncomingMessage, response: http.ServerResponse): void {
    const json = (body: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (url === '/.well-known/openid-configuration') {
      return this.discovery === null ? json(this.document()) : this.discovery(response);
    }
    if (url === '/jwks') {
      return json({
        keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
      });
    }
    if (url === '/userinfo') return json(this.userinfo);
    this.tokenCalls += 1;
    if (this.tokenStatus !== 200) return json({ error: 'invalid_grant' }, this.tokenStatus);
    json({ access_token: 'a-token', token_type: 'Bearer', expires_in: 60, id_token: this.idToken() });
  }

  private idToken(): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: this.issuer, aud: 'constancia', sub: 'subject-1', nonce: this.nonce, iat: now, exp: now + 300 },
      email_verified: true,
      ...this.claims,
    };
    const { signing } = this;
    const alg = signing === 'none' || signing === 'HS256' ? signing : 'RS256';
    const signed = `${encoded({ alg, kid: 'one', typ: 'JWT' })}.${encoded(claims)}`;
    if (signing === 'none') return `${signed}.`;
    if (signing === 'HS256') {
      const key = this.keys.publicKey.export({ format: 'pem', type: 'spki' });
      return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    }
    const rs256 = (key: KeyObject): string => sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url');
    if (signing === 'another key') return `${signed}.${rs256(this.otherKeys.privateKey)}`;
    if (signing === 'altered') {
      const [head, , signature] = `${signed}.${rs256(this.keys.privateKey)}`.split('.') as [string, string, string];
      return `${head}.${encoded({ ...claims, sub: 'somebody-else' })}.${signature}`;
    }
    return `${signed}.${rs256(this.keys.privateKey)}`;
  }
}
