import { fromHex, sha256Hex } from './digest.ts';

/**
 * Whether the detached signature (RSASSA-PKCS1-v1_5, SHA-256, hex) over these bytes was made with the private half of the key
 * (SubjectPublicKeyInfo, DER).
 */
export async function signatureHolds(
  spki: Uint8Array<ArrayBuffer>,
  signatureHex: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const signature = fromHex(signatureHex);
  if (globalThis.crypto?.subtle) {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('spki', spki, algorithm, false, ['verify']);
    return crypto.subtle.verify(algorithm.name, key, signature, bytes);
  }
  const { sha256, verifyRsaDigest } = await import('./without-webcrypto.ts');
  return verifyRsaDigest(spki, signature, sha256(bytes));
}

/**
 * The key that is published at an address `…/keys/{fingerprint}.pem`, from this page's own origin. Its fingerprint is computed
 * here: anyone who wrote the address down once gets that key or an error. Throws when there is none, or another.
 */
export async function publishedKey(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = new URL(address).pathname;
  const fingerprint = /\/keys\/([0-9a-f]{64})\.pem$/.exec(path)?.[1];
  if (!fingerprint) throw new TypeError('not the address of a published key');
  const answer = await fetch(`/keys/${fingerprint}.pem`);
  if (!answer.ok) throw new Error(`the key cannot be read: ${answer.status}`);
  const spki = derOf(await answer.text());
  if ((await sha256Hex(spki)) !== fingerprint) throw new Error('another key is published at this address');
  return spki;
}

/** The bytes of a PEM of one public key. */
export function derOf(pem: string): Uint8Array<ArrayBuffer> {
  const body = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/.exec(pem)?.[1];
  if (body === undefined) throw new TypeError('not a public key');
  return Uint8Array.from(atob(body.replace(/\s/g, '')), (character) => character.charCodeAt(0));
}

/** Whether the service publishes a key with this fingerprint: then it is one of its own. */
export async function isPublished(fingerprint: string): Promise<boolean> {
  const response = await fetch(`/keys/${fingerprint}.pem`, { credentials: 'omit' });
  if (response.ok) return true;
  if (response.status === 404) return false;
  throw new Error(`answered ${response.status}`);
}
