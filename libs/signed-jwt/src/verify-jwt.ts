import type { KeyObject } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { readJwtAs } from './read-jwt.ts';
import type { JwtAlgorithm, JwtHeader, UnverifiedJwt } from './read-jwt.ts';
import { refused } from './token-refused.ts';

/** A public key. */
export type JwtKey = CryptoKey | KeyObject | JWK;

/** Finds the key of a token by what it says of itself, none of which is verified yet. Throws TokenRefused, or answers null for none. */
export type JwtKeyFinder = (token: UnverifiedJwt) => JwtKey | null | Promise<JwtKey | null>;

export interface ExpectedJwt {
  /** The token class: the header's typ has to be exactly this, so that a token of one class is never accepted as another. */
  typ: string;
  findKey: JwtKeyFinder;
  algorithms?: readonly JwtAlgorithm[];
  maxBytes?: number;
  /** A proof of possession: the token brings the key that `findKey` answers, and its signature says that its sender has that. */
  ownKey?: boolean;
}

const DEFAULT_ALGORITHMS: readonly JwtAlgorithm[] = ['ES256'];
const DEFAULT_MAX_BYTES = 16_384;

/** A token whose class and signature are as expected. Its claims, times included, are for the caller to check. Throws TokenRefused. */
export async function verifyJwt(token: string, expected: ExpectedJwt): Promise<UnverifiedJwt> {
  const { typ, findKey, algorithms = DEFAULT_ALGORITHMS, maxBytes = DEFAULT_MAX_BYTES, ownKey } = expected;
  const read = readJwtAs(token, { maxBytes, ownKey });
  checkHeader(read.header, typ, algorithms);
  const key = await findKey(read);
  if (key === null) throw refused('key', 'no key for the token is known');
  await checkSignature(token, key, algorithms);
  return read;
}

function checkHeader({ alg, typ }: JwtHeader, expectedTyp: string, algorithms: readonly string[]): void {
  if (typ !== expectedTyp) throw refused('type', `typ is not ${expectedTyp}`);
  if (!algorithms.includes(alg)) throw refused('algorithm', `alg is none of ${algorithms.join(', ')}`);
}

async function checkSignature(token: string, key: JwtKey, algorithms: readonly JwtAlgorithm[]): Promise<void> {
  try {
    await compactVerify(token, key, { algorithms: [...algorithms] });
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw refused('signature', 'the signature does not verify');
    throw refused('key', 'the key cannot verify this token', error);
  }
}
