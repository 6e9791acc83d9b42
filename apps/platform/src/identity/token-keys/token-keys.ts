import { createPrivateKey, generateKeyPair, type KeyObject, sign as signBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { SecretBox } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import { type JwtKeyFinder, type JwtSigner, keyFinderOf, localEs256Signer } from '@constancia/signed-jwt';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { keyServiceUnavailable } from '../key-service.ts';
import type { TokenKey } from './token-key.entity.ts';
import { selfIssuedCertificate } from './self-issued-certificate.ts';
import { TOKEN_KEY_SETS, type TokenKeySet } from './token-key-sets.ts';

const newKeyPair = promisify(generateKeyPair);

/** A set is read again after so long: much shorter than a key is published before it signs. */
const KEPT_MS = 60_000;
/** A key that is not in the set as it was read makes it be read again, but no more often than this. */
const READ_AGAIN_AFTER_MS = 1_000;

interface KnownKeys {
  readAt: number;
  find: JwtKeyFinder;
  publicJwks: readonly JWK[];
  kids: ReadonlySet<string>;
  /** Of the current key, which KMS opens at its first use. */
  signer: () => Promise<JwtSigner>;
  current: TokenKey;
  /** The public keys, the current one first. */
  published: readonly JWK[];
}

/** A signer that certificates name in the header, and the certificate of its key: DER. */
export interface CertifiedSigner {
  sign: JwtSigner;
  certificate: Buffer;
}

/** What KMS binds the data key of a private key to. */
const keyContext = (kid: string) => ({ purpose: 'token_key', key: kid });
/** What the sealed private key is bound to. */
const privateContext = (kid: string) => `token_key:${kid}`;

/**
 * The keys that our tokens are signed with, a set for each class of tokens. A private key is encrypted with a data key of its own, which
 * KMS wraps; in memory it stays for a minute after its last reading. The first key of a set is made when the first token is signed.
 */
@Injectable()
export class TokenKeys implements OnApplicationShutdown {
  private readonly known = new Map<TokenKeySet, Promise<KnownKeys | null>>();
  private readonly privateKeys = new WeakMap<TokenKey, Promise<KeyObject>>();

  constructor(
    private readonly database: IdentityDatabase,
    private readonly dataKeys: DataKeys,
    private readonly config: PlatformConfig,
  ) {}

  onApplicationShutdown(): void {
    this.known.clear();
  }

  /** Signs with the current key of the set. Throws DependencyUnavailable while KMS cannot be reached. */
  async signer(keySet: TokenKeySet): Promise<JwtSigner> {
    return (await this.keysOrFirst(keySet)).signer();
  }

  /** The same for a set with certificates. */
  async certified(keySet: TokenKeySet): Promise<CertifiedSigner> {
    const { current } = await this.keysOrFirst(keySet);
    const [certificate] = current.public_jwk.x5c ?? [];
    if (certificate === undefined) throw new Error(`the keys of ${keySet} have no certificates`);
    return { sign: await this.signerOf(current), certificate: Buffer.from(certificate, 'base64') };
  }

  /** The public keys of the set, the current one first; with its first key when it has none. */
  async published(keySet: TokenKeySet): Promise<readonly JWK[]> {
    return (await this.keysOrFirst(keySet)).published;
  }

  /** The ES256 signature (64 bytes) of bytes by the current key, which must still be this one. */
  async signature(keySet: TokenKeySet, kid: string, bytes: Buffer): Promise<Buffer> {
    const { current } = await this.keysOrFirst(keySet);
    if (current.kid !== kid) throw new Error(`the key ${kid} has just been replaced`);
    return signBytes('sha256', bytes, { key: await this.privateKeyOf(current), dsaEncoding: 'ieee-p1363' });
  }

  /** Finds every key of the set that has not been deleted. */
  finder(keySet: TokenKeySet): JwtKeyFinder {
    return async (token) => {
      let known = await this.keys(keySet, KEPT_MS);
      if (token.header.kid !== undefined && !known?.kids.has(token.header.kid)) {
        known = await this.keys(keySet, READ_AGAIN_AFTER_MS);
      }
      return known === null ? null : known.find(token);
    };
  }

  /** The public keys of a set, with what they are for. A set without keys gets its first: who reads it now knows what is signed next. */
  async publicKeys(keySet: TokenKeySet): Promise<JWK[]> {
    await this.signer(keySet);
    const known = await this.keys(keySet, KEPT_MS);
    return [...(known?.publicJwks ?? [])];
  }

  /** Adds a key: the current one of a set without keys, else the next one; none when there is a next one already. */
  async add(keySet: TokenKeySet): Promise<void> {
    const { privateKey, publicKey } = await newKeyPair('ec', { namedCurve: 'prime256v1' });
    const jwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(jwk);
    const key = await this.dataKeys.generate(keyContext(kid)).catch(keyServiceUnavailable);
    const bytes = privateKey.export({ format: 'der', type: 'pkcs8' });
    const sealed = new SecretBox([key.plaintext]).seal(bytes, privateContext(kid));
    const publicJwk: JWK = { ...jwk, kid, use: 'sig', alg: 'ES256' };
    if ('certified' in TOKEN_KEY_SETS[keySet]) {
      const certificate = selfIssuedCertificate({ privateKey, publicKey, host: new URL(this.config.apiUrl).hostname });
      publicJwk.x5c = [certificate.toString('base64')];
    }
    await this.database.query('select identity.add_token_key($1, $2, $3, $4, $5)', [
      ...[kid, keySet, JSON.stringify(publicJwk), key.wrapped, sealed],
    ]);
  }

  private async keysOrFirst(keySet: TokenKeySet): Promise<KnownKeys> {
    const known = await this.keys(keySet, KEPT_MS);
    if (known !== null) return known;
    await this.add(keySet); // another process may have been first
    const first = await this.keys(keySet, 0);
    if (first === null) throw new Error(`the key set ${keySet} has no current key`);
    return first;
  }

  /** The set, as it was read at most so long ago; null without a current key. Requests that come together share a reading. */
  private async keys(keySet: TokenKeySet, maxAgeMs: number): Promise<KnownKeys | null> {
    const known = await this.known.get(keySet);
    if (known && Date.now() - known.readAt < maxAgeMs) return known;
    const reading = this.read(keySet);
    this.known.set(keySet, reading);
    reading.catch(() => this.known.delete(keySet));
    return reading;
  }

  private async read(keySet: TokenKeySet): Promise<KnownKeys | null> {
    const readAt = Date.now();
    const rows = await this.database.query<TokenKey>('select * from identity.token_keys($1)', [keySet]);
    const current = rows.find(({ state }) => state === 'current');
    if (current === undefined) return null;
    const publicJwks = rows.map((row) => row.public_jwk);
    return {
      readAt,
      find: keyFinderOf({ keys: publicJwks }),
      publicJwks,
      kids: new Set(rows.map((row) => row.kid)),
      signer: () => this.signerOf(current),
      current,
      published: [current, ...rows.filter((row) => row !== current)].map((row) => row.public_jwk),
    };
  }

  private async signerOf(key: TokenKey): Promise<JwtSigner> {
    return localEs256Signer(await this.privateKeyOf(key), { kid: key.kid, x5c: key.public_jwk.x5c });
  }

  /** Opened once for each reading of the set; again when KMS was unavailable. */
  private privateKeyOf(key: TokenKey): Promise<KeyObject> {
    const known = this.privateKeys.get(key);
    if (known) return known;
    const opened = this.opened(key);
    this.privateKeys.set(key, opened);
    opened.catch(() => this.privateKeys.delete(key));
    return opened;
  }

  private async opened({ kid, wrapped_key, sealed_private }: TokenKey): Promise<KeyObject> {
    if (wrapped_key === null || sealed_private === null) throw new Error('the current key has its private part');
    const key = await this.dataKeys.unwrap(wrapped_key, keyContext(kid)).catch(keyServiceUnavailable);
    const bytes = new SecretBox([key]).open(sealed_private, privateContext(kid));
    return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  }
}
