import { sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { JsonObject } from './json.ts';

/** Signs a payload as a compact JWT of the class `typ`, with the key that it stands for. */
export type JwtSigner = (typ: string, payload: JsonObject) => Promise<string>;

export interface Es256Key {
  /** Names the key in the header, if it has a name. */
  kid?: string;
  /** Certificates of the key for the header, the key's own first: base64 of DER (RFC 7515, section 4.1.6). */
  x5c?: string[];
  /** The public key itself for the header: of a token that proves nothing but that its signer has this key. */
  jwk?: JsonObject;
  /** ECDSA over P-256 with SHA-256 of `input`: r and s, 64 bytes (RFC 7518, section 3.4). */
  sign(input: Buffer): Promise<Buffer>;
}

const signAsync = promisify(sign);

const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs with ES256 by a key that may be elsewhere, such as in a KMS. */
export function es256Signer(key: Es256Key): JwtSigner {
  const { kid, x5c, jwk } = key;
  return async (typ, payload) => {
    const header: JsonObject = {
      ...{ alg: 'ES256', typ },
      ...(kid !== undefined && { kid }),
      ...(x5c && { x5c }),
      ...(jwk && { jwk }),
    };
    const input = `${encode(header)}.${encode(payload)}`;
    const signature = await key.sign(Buffer.from(input));
    if (signature.length !== 64) throw new Error('an ES256 signature has 64 bytes');
    return `${input}.${signature.toString('base64url')}`;
  };
}

/** Signs with ES256 by a P-256 private key of this process. Throws for another kind of key. */
export function localEs256Signer(privateKey: KeyObject, header: Omit<Es256Key, 'sign'> = {}): JwtSigner {
  if (privateKey.type !== 'private' || privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('ES256 needs a private key on P-256');
  const sign = (input: Buffer) => signAsync('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return es256Signer({ ...header, sign });
}
