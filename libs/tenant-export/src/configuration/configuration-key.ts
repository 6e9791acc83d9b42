import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { canonicalJson, derivedKeys } from '@constancia/kernel';
import { type JsonObject, localEs256Signer, TokenRefused, verifyJwt } from '@constancia/signed-jwt';

/** The class of the tokens that sign manifests. */
const TYP = 'configuration+jwt';
const CURVE = 'prime256v1';

/** What the token of a manifest says. */
export interface ManifestToken {
  /** Address of the platform host of the deployment that signed. */
  iss: string;
  /** Slug of the tenant. */
  tenant: string;
  /** Epoch seconds. */
  iat: number;
  /** Hex. */
  manifest_sha256: string;
}

interface PublicJwk extends JsonObject {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
}

/** The keys of a deployment for archives of configurations: P-256, derived from SECRETS_KEY. The first one signs. */
export class ConfigurationKeys {
  private readonly pairs: { jwk: PublicJwk; privateKey: KeyObject }[];

  constructor(secretsKey: string) {
    this.pairs = derivedKeys(secretsKey, 'configurations').map(pairOf);
  }

  /** The thumbprint of the key that signs (RFC 7638), base64url. */
  get id(): string {
    return thumbprintOf(this.signing.jwk);
  }

  /** Whether this deployment signs with the key of this thumbprint, or did before SECRETS_KEY was rotated. */
  has(id: string): boolean {
    return this.pairs.some(({ jwk }) => thumbprintOf(jwk) === id);
  }

  sign(token: ManifestToken): Promise<string> {
    const { privateKey, jwk } = this.signing;
    return localEs256Signer(privateKey, { jwk })(TYP, { ...token });
  }

  private get signing() {
    return this.pairs[0] as (typeof this.pairs)[number];
  }
}

/** What a token says that verifies with the key which it carries, and that key's thumbprint; null: it does not. */
export async function readManifestToken(token: string): Promise<(ManifestToken & { keyId: string }) | null> {
  try {
    const { header, payload } = await verifyJwt(token.trim(), {
      typ: TYP,
      ownKey: true,
      findKey: ({ header: { all } }) => all.jwk as PublicJwk,
    });
    const { iss, tenant, iat, manifest_sha256 } = payload;
    if (typeof iss !== 'string' || typeof tenant !== 'string' || typeof iat !== 'number') return null;
    if (!Number.isSafeInteger(iat) || iat < 0 || iat > 1e11 || typeof manifest_sha256 !== 'string') return null;
    return { iss, tenant, iat, manifest_sha256, keyId: thumbprintOf(header.all.jwk as PublicJwk) };
  } catch (error) {
    if (error instanceof TokenRefused) return null;
    throw error;
  }
}

function pairOf(d: Buffer): { jwk: PublicJwk; privateKey: KeyObject } {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(d);
  const point = pair.getPublicKey(); // 04, x, y
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as PublicJwk;
  return { jwk, privateKey: createPrivateKey({ key: { ...jwk, d: d.toString('base64url') }, format: 'jwk' }) };
}

function thumbprintOf({ kty, crv, x, y }: PublicJwk): string {
  return createHash('sha256').update(canonicalJson({ kty, crv, x, y })).digest('base64url');
}
