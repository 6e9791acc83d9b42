import type { JSONWebKeySet, JWK } from 'jose';
import { refused } from './token-refused.ts';
import type { JwtKeyFinder } from './verify-jwt.ts';

/** Members of a JWK that only the signer may have (RFC 7518, section 6). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

/**
 * Finds keys in a key set (RFC 7517, section 5) by the kid of the token, which it has to have. Throws Error when the set holds a secret or
 * a key without a kid of its own: such a set must not be published, and is not to be trusted.
 */
export function keyFinderOf({ keys }: JSONWebKeySet): JwtKeyFinder {
  const byKid = new Map(keys.map((key) => [publicKidOf(key), key]));
  if (byKid.size !== keys.length) throw new Error('two keys of the key set have one kid');
  return ({ header }) => {
    if (header.kid === undefined) throw refused('key', 'the token does not name its key');
    return byKid.get(header.kid) ?? null;
  };
}

function publicKidOf(key: JWK): string {
  if (SECRET_MEMBERS.some((member) => Object.hasOwn(key, member))) throw new Error('the key set holds a secret');
  if (key.kid === undefined) throw new Error('a key of the key set has no kid');
  return key.kid;
}
