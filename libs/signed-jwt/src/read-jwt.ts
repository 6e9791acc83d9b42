import { decodeBase64url, decodeJsonObject, isJsonObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { refused } from './token-refused.ts';

/** Signature algorithms with a key pair. None with a shared secret, so a public key can never be taken for one. */
export type JwtAlgorithm = 'ES256' | 'ES384' | 'RS256' | 'PS256' | 'EdDSA';

export interface JwtHeader {
  alg: string;
  typ: string;
  kid?: string;
  /** Everything else that the header says, such as x5c. */
  all: JsonObject;
}

export interface UnverifiedJwt {
  header: JwtHeader;
  payload: JsonObject;
}

/** Header parameters with which a token would choose its own key, or change how it is read. */
const REFUSED_PARAMETERS = ['jwk', 'jku', 'x5u', 'crit', 'b64', 'zip'];

export interface JwtReading {
  maxBytes: number;
  /** The header has to have `jwk`, the public key that signed: of a token that proves nothing but that its sender has this key. */
  ownKey?: boolean;
}

/**
 * Reads a compact JWT (RFC 7515, section 7.1) without checking its signature. Throws TokenRefused when it is larger than
 * `maxBytes`, not exactly three parts of canonical base64url, or its header names a key or an extension.
 */
export function readJwt(token: string, maxBytes: number): UnverifiedJwt {
  return readJwtAs(token, { maxBytes });
}

/** The same for a token that may have to bring its own key. */
export function readJwtAs(token: string, { maxBytes, ownKey = false }: JwtReading): UnverifiedJwt {
  if (token.length > maxBytes) throw refused('too_large', `the token is larger than ${maxBytes} bytes`);
  const parts = token.split('.', 4);
  if (parts.length !== 3) throw refused('malformed', 'the token does not have three parts');
  const [header, payload, signature] = parts as [string, string, string];
  decodeBase64url(signature, 'the signature');
  return {
    header: headerOf(decodeJsonObject(header, 'the header'), ownKey),
    payload: decodeJsonObject(payload, 'the payload'),
  };
}

function headerOf(all: JsonObject, ownKey: boolean): JwtHeader {
  const { alg, typ, kid } = all;
  if (typeof alg !== 'string') throw refused('algorithm', 'the header has no alg');
  if (typeof typ !== 'string') throw refused('type', 'the header has no typ');
  if (kid !== undefined && typeof kid !== 'string') throw refused('header', 'kid is not a string');
  const parameter = REFUSED_PARAMETERS.find((name) => Object.hasOwn(all, name) && !(ownKey && name === 'jwk'));
  if (parameter) throw refused('header', `the header has ${parameter}`);
  if (ownKey && (!isJsonObject(all.jwk) || kid !== undefined))
    throw refused('header', 'the header does not have jwk alone');
  return { alg, typ, kid, all };
}
