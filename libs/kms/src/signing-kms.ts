import { constants, createHash, createPublicKey, publicDecrypt } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { sleep } from '@constancia/kernel';
import { LRUCache } from 'lru-cache';
import { CallLimit } from './call-limit.ts';
import { pauseMs } from './retry.ts';
import { SigningUnavailable, signingUnavailable } from './signing-unavailable.ts';
import { Slots } from './slots.ts';

// The SDK would tell the operator on stderr, at every start, to use a newer Node than the one that is supported here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';

/** DER of the DigestInfo of SHA-256 up to the digest itself (RFC 8017, section 9.2, note 1). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

export interface SigningKmsOptions {
  region: string;
  /** Only for a development or test server. */
  endpoint?: string;
  /**
   * Requests a second of this process, retries included; the quota is per account and region (1,000 for RSA), shared by all
   * processes. A whole number; default 200.
   */
  maxPerSecond?: number;
  /** Requests in flight at a time. Default: a quarter of maxPerSecond, which an answer within 250 ms needs, but 16 to 256. */
  maxConcurrent?: number;
  /** Time for one call with its retries and its wait for a turn. Default 10 s. */
  deadlineMs?: number;
  /** Time for one attempt, from the request to the last byte of its answer. Default 3 s. */
  attemptTimeoutMs?: number;
  /** Attempts at the most, of which each is one request. Default 3. */
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
  private readonly limit: CallLimit;
  private readonly slots: Slots;
  private readonly deadlineMs: number;
  private readonly attemptTimeoutMs: number;
  private readonly maxAttempts: number;
  private readonly publicKeys = new Map<string, Promise<SigningPublicKey>>();

  constructor(options: SigningKmsOptions) {
    this.deadlineMs = options.deadlineMs ?? 10_000;
    this.attemptTimeoutMs = options.attemptTimeoutMs ?? 3_000;
    this.maxAttempts = options.maxAttempts ?? 3;
    const perSecond = options.maxPerSecond ?? 200;
    const concurrent = options.maxConcurrent ?? Math.min(Math.max(Math.ceil(perSecond / 4), 16), 256);
    this.limit = new CallLimit(perSecond);
    this.slots = new Slots(concurrent);
    const agent = { keepAlive: true, maxSockets: concurrent };
    this.client = new KMSClient({
      region: options.region,
      ...(options.endpoint ? { endpoint: options.endpoint } : {}),
      ...(options.credentials ? { credentials: options.credentials } : {}),
      maxAttempts: 1, // repeated here: the SDK would repeat a request without asking the limit
      requestHandler: { connectionTimeout: 2_000, httpAgent: agent, httpsAgent: agent },
    });
  }

  /** Requests sent to KMS so far, retries included. */
  get requests(): number {
    return this.limit.calls;
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
    const digest = digestOrBytes.length === 32 ? digestOrBytes : createHash('sha256').update(digestOrBytes).digest();
    return signedDigest(publicKeyOf(spkiDer), digest, signature);
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

  /** Throws SigningUnavailable when another attempt is of no use, or the last one or the time is used up. */
  private async call<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const endsAt = performance.now() + this.deadlineMs;
    for (let attempt = 1; ; attempt++) {
      await this.takeTurn(endsAt);
      let trouble: SigningUnavailable;
      try {
        return await withinTime(Math.min(this.attemptTimeoutMs, endsAt - performance.now()), send);
      } catch (error) {
        trouble = signingUnavailable(error);
      } finally {
        this.limit.end();
        this.slots.giveBack();
      }
      const pause = pauseMs(attempt, trouble.reason);
      if (!trouble.retryable || attempt >= this.maxAttempts || performance.now() + pause >= endsAt) throw trouble;
      await sleep(pause);
    }
  }

  /** Waits for a slot and then for a turn, which must be used at once: turns saved up would exceed the limit together. */
  private async takeTurn(endsAt: number): Promise<void> {
    if (!(await this.slots.take(endsAt - performance.now())))
      throw new SigningUnavailable('throttled', 'too many calls in flight');
    if (await this.limit.take(endsAt - performance.now())) return;
    this.slots.giveBack();
    throw new SigningUnavailable('throttled', 'our own limit of calls');
  }
}

/** Aborts what takes longer. Throws SigningUnavailable `timeout`, whatever the aborted work throws. */
async function withinTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), Math.max(ms, 1));
  try {
    return await work(abort.signal);
  } catch (error) {
    throw abort.signal.aborted ? new SigningUnavailable('timeout', 'no answer in time', { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reading a key takes longer than verifying with it. */
const publicKeys = new LRUCache<string, KeyObject>({ max: 64 });

function publicKeyOf(spkiDer: Buffer): KeyObject {
  const name = spkiDer.toString('latin1');
  const known = publicKeys.get(name);
  if (known) return known;
  const key = createPublicKey({ key: spkiDer, format: 'der', type: 'spki' });
  publicKeys.set(name, key);
  return key;
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
