import { generateKeyPairSync } from 'node:crypto';
import { someIp } from '../../../running-platform.fixture.ts';
import { forgedJwt } from '../../../../../../libs/signed-jwt/src/forged-jwt.fixture.ts';

export const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
/** What runs as BASE_URL in tests, where nothing listens. */
const PUBLIC = 'http://platform.test';

interface Metadata {
  credential_issuer: string;
  authorization_servers: string[];
  credential_endpoint: string;
  nonce_endpoint: string;
  batch_credential_issuance: { batch_size: number };
}

export interface AppAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  text: string;
}

export class HolderKeyPair {
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly privateKey = this.pair.privateKey;
  readonly jwk = this.pair.publicKey.export({ format: 'jwk' });

  /** Proves to an issuer that this key is held. */
  proof(aud: string, nonce: string, header: object = {}, payload: object = {}): string {
    const iat = Math.floor(Date.now() / 1_000);
    return forgedJwt(
      { alg: 'ES256', typ: 'openid4vci-proof+jwt', jwk: this.jwk, ...header },
      { aud, iat, nonce, ...payload },
      this.privateKey,
    );
  }
}

/** A wallet app: it knows the address of an offer, and finds everything else as OpenID4VCI says. */
export class WalletApp {
  constructor(private readonly url: string) {}

  async send(address: string, init: RequestInit = {}): Promise<AppAnswer> {
    const response = await fetch(address.replace(PUBLIC, this.url), {
      ...init,
      headers: { 'x-forwarded-for': someIp(), ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    const body = response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as AppAnswer['body']) : {};
    return { status: response.status, headers: response.headers, body, text };
  }

  /** The code in an offer. */
  async codeIn(offerAddress: string): Promise<string> {
    const { body } = await this.send(offerAddress);
    return (body.grants as Record<string, Record<string, string>>)[GRANT]?.['pre-authorized_code'] ?? '';
  }

  /** The metadata of an issuer, and where its authorization server exchanges codes. */
  async discover(issuer: string): Promise<Metadata & { token_endpoint: string }> {
    const found = await this.send(wellKnown('openid-credential-issuer', issuer));
    if (found.status !== 200) throw new Error(`no metadata: ${found.status} ${found.text}`);
    const metadata = found.body as unknown as Metadata;
    const server = await this.send(wellKnown('oauth-authorization-server', metadata.authorization_servers[0] ?? ''));
    return { ...metadata, token_endpoint: server.body.token_endpoint as string };
  }

  token(endpoint: string, code: string, txCode: string, more: Record<string, string> = {}): Promise<AppAnswer> {
    const form = new URLSearchParams({ grant_type: GRANT, 'pre-authorized_code': code, tx_code: txCode, ...more });
    return this.send(endpoint, { method: 'POST', body: form });
  }

  async nonce(endpoint: string): Promise<string> {
    return (await this.send(endpoint, { method: 'POST' })).body.c_nonce as string;
  }

  credential(endpoint: string, token: string, body: unknown): Promise<AppAnswer> {
    return this.send(endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
}

/** RFC 8414, section 3.1: between the host and the path. */
function wellKnown(what: string, identifier: string): string {
  const { origin, pathname } = new URL(identifier);
  return `${origin}/.well-known/${what}${pathname}`;
}
