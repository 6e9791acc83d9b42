import { createHmac, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with any header and payload, signed with ES256 whatever the header says. */
export function forgedJwt(header: object, payload: object, privateKey: KeyObject): string {
  const input = `${encode(header)}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** A token without a signature. */
export const unsignedJwt = (header: object, payload: object): string => `${encode(header)}.${encode(payload)}.`;

/** A token whose HMAC key is the issuer's public key. */
export function hmacJwt(header: object, payload: object, publicKey: KeyObject): string {
  const input = `${encode(header)}.${encode(payload)}`;
  const secret = publicKey.export({ type: 'spki', format: 'pem' });
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}
