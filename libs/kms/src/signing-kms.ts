import { constants, createHash, createPublicKey, publicDecrypt } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { SigningUnavailable, signingUnavailable } from './signing-unavailable.ts';
import { Slots } from './slots.ts';
import { TokenBucket } from './token-bucket.ts';

// The SDK would tell the operator on stderr, at every start, to use a newer Node than the one that is supported here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';

/** DER of the DigestInfo of SHA-256 up to the digest itself (RFC 8017, section 9.2, note 1). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

export interface SigningKmsOptions {
  region: string;
  /** Only for a development or test server. */
  endpoint?: string;
  /** Calls a second of this process; the quota is per account and region (1,000 for RSA), shared by all processes. Default 200. */
  maxPerSecond?: number;
  /** Calls in flight at a time. Default 16. */
  maxConcurrent?: number;
  /** Time for one call with its retries and its wait for a turn. Default 10 s. */
  deadlineMs?: number;
  /** Attempts of the SDK's standard retry. Default 3. */
  maxAttempts?: number;
  /** Only for tests; otherwise the SDK's own chain. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

export interface SigningPublicKey {
  keyArn: string;
  /** SubjectPublicKeyInfo, DER. */
  spkiDer: Buffer;
  pem: string;
  /** SHA-256 of spkiDer, lower-case hex. */
  fingerprint: string;
}

/** Signs digests with RSA keys that never leave AWS KMS. Verification is local and costs no quota. */
export class SigningKms {
  private readonly client: KMSClient;
  private readonly bucket: TokenBucket;
  private readonly slots: Slots;
  private readonly deadlineMs: number;
  private readonly publicKeys = new Map<string, Promise<SigningPublicKey>>();

  constructor(options: SigningKmsOptions) {
    this.deadlineMs = options.deadlineMs ?? 10_000;
    this.bucket = new TokenBucket(options.maxPerSecond ?? 200);
    this.slots = new Slots(options.maxConcurrent ?? 16);
    this.client = new KMSClient({
      region: options.region,
      ...(options.endpoint ? { endpoint: options.endpoint } : {}),
      ...(options.credentials ? { credentials: options.credentials } : {}),
      retryMode: 'standard',
      maxAttempts: options.maxAttempts ?? 3,
      requestHandler: { connectionTimeout: 2_000, requestTimeout: this.deadlineMs, throwOnRequestTimeout: true },
    });
  }

  /**
   * Signs a SHA-256 digest (32 bytes). RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2); the signature is as long as the modulus.
   * Throws SigningUnavailable.
   *
   * @param keyId id, ARN or alias
   */
  async sign(keyId: string, digest: Buffer): Promise<Buffer> {
    if (digest.length !== 32) throw new Error('a SHA-256 digest has 32 bytes');
    const command = new SignCommand({
      KeyId: keyId,
      Message: digest,
      MessageType: 'DIGEST',
      SigningAlgorithm: ALGORITHM,
    });
    const { Signature } = await this.call((abortSignal) => this.client.send(command, { abortSignal }));
    if (!Signature) throw new SigningUnavailable('server-error', 'no signature in the answer');
    return Buffer.from(Signature);
  }

  /** The public half of a key, kept for the life of the process (a KMS key never changes its material). */
  publicKey(keyId: string): Promise<SigningPublicKey> {
    const known = this.publicKeys.get(keyId);
    if (known) return known;
    const asked = this.fetchPublicKey(keyId);
    this.publicKeys.set(keyId, asked);
    asked.catch(() => this.publicKeys.delete(keyId));
    return asked;
  }

  /**
   * Whether the signature is RSASSA-PKCS1-v1_5 with SHA-256 by this key. A Buffer of 32 bytes is taken for the digest, any
   * other for the bytes that were signed. Never throws for a malformed signature.
   */
  static verify(spkiDer: Buffer, digestOrBytes: Buffer, signature: Buffer): boolean {
    const key = createPublicKey({ key: spkiDer, format: 'der', type: 'spki' });
    const digest = digestOrBytes.length === 32 ? digestOrBytes : createHash('sha256').update(digestOrBytes).digest();
    return signedDigest(key, digest, signature);
  }

  close(): void {
    this.client.destroy();
  }

  private async fetchPublicKey(keyId: string): Promise<SigningPublicKey> {
    const command = new GetPublicKeyCommand({ KeyId: keyId });
    const found = await this.call((abortSignal) => this.client.send(command, { abortSignal }));
    if (!found.PublicKey || !found.KeyId) throw new SigningUnavailable('server-error', 'no public key in the answer');
    if (found.KeyUsage !== 'SIGN_VERIFY' || !found.SigningAlgorithms?.includes(ALGORITHM)) {
      throw new SigningUnavailable('key-unusable', `the key does not sign with ${ALGORITHM}`);
    }
    const spkiDer = Buffer.from(found.PublicKey);
    const pem = createPublicKey({ key: spkiDer, format: 'der', type: 'spki' }).export({ format: 'pem', type: 'spki' });
    const fingerprint = createHash('sha256').update(spkiDer).digest('hex');
    return { keyArn: found.KeyId, spkiDer, pem: pem.toString(), fingerprint };
  }

  private async call<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const endsAt = performance.now() + this.deadlineMs;
    try {
      return await this.slots.run(async () => {
        const turn = await this.bucket.take(endsAt - performance.now());
        const left = Math.floor(endsAt - performance.now());
        if (!turn || left <= 0) throw new SigningUnavailable('throttled', 'our own limit of calls');
        return send(AbortSignal.timeout(left));
      });
    } catch (error) {
      throw signingUnavailable(error);
    }
  }
}

/** RSAVP1 and the exact comparison of the encoded digest: node's verify() would hash the digest once more. */
function signedDigest(key: KeyObject, digest: Buffer, signature: Buffer): boolean {
  try {
    const encoded = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    return encoded.equals(Buffer.concat([DIGEST_INFO, digest]));
  } catch {
    return false;
  }
}
