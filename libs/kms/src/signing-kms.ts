import { constants, createHash, createPublicKey, publicDecrypt } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { GetPublicKeyCommand, SignCommand } from '@aws-sdk/client-kms';
import { LRUCache } from 'lru-cache';
import { KmsCalls, type KmsOptions } from './kms-calls.ts';
import { KmsUnavailable } from './kms-unavailable.ts';

const ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';

/** DER of the DigestInfo of SHA-256 up to the digest itself (RFC 8017, section 9.2, note 1). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

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
  private readonly kms: KmsCalls;
  private readonly publicKeys = new Map<string, Promise<SigningPublicKey>>();

  constructor(options: KmsOptions) {
    this.kms = new KmsCalls(options);
  }

  /** Requests sent to KMS so far, retries included. */
  get requests(): number {
    return this.kms.requests;
  }

  /**
   * Signs a SHA-256 digest (32 bytes). RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2); the signature is as long as the modulus.
   * Throws KmsUnavailable.
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
    const { Signature } = await this.kms.call((abortSignal) => this.kms.client.send(command, { abortSignal }));
    if (!Signature) throw new KmsUnavailable('server-error', 'no signature in the answer');
    return Buffer.from(Signature);
  }

  /** The public half of a key, kept for the life of the process (a KMS key never changes its material). */
  publicKey(keyId: string): Promise<SigningPublicKey> {
    const known = this.publicKeys.get(keyId);
    if (known) return known;
    const asked = this.currentPublicKey(keyId);
    this.publicKeys.set(keyId, asked);
    asked.catch(() => this.publicKeys.delete(keyId));
    return asked;
  }

  /** The public half of the key that an alias names now. Throws KmsUnavailable. */
  async currentPublicKey(keyId: string): Promise<SigningPublicKey> {
    const command = new GetPublicKeyCommand({ KeyId: keyId });
    const found = await this.kms.call((abortSignal) => this.kms.client.send(command, { abortSignal }));
    if (!found.PublicKey || !found.KeyId) throw new KmsUnavailable('server-error', 'no public key in the answer');
    if (found.KeyUsage !== 'SIGN_VERIFY' || !found.SigningAlgorithms?.includes(ALGORITHM)) {
      throw new KmsUnavailable('key-unusable', `the key does not sign with ${ALGORITHM}`);
    }
    const spkiDer = Buffer.from(found.PublicKey);
    const pem = createPublicKey({ key: spkiDer, format: 'der', type: 'spki' }).export({ format: 'pem', type: 'spki' });
    const fingerprint = createHash('sha256').update(spkiDer).digest('hex');
    return { keyArn: found.KeyId, spkiDer, pem: pem.toString(), fingerprint };
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
    this.kms.close();
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
  if (signature.length * 8 !== key.asymmetricKeyDetails?.modulusLength) return false; // RFC 8017, section 8.2.2, step 1
  try {
    const encoded = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    return encoded.equals(Buffer.concat([DIGEST_INFO, digest]));
  } catch {
    return false;
  }
}
