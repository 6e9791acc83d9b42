import { nowInSeconds, timeOf, verifyJwt } from '@constancia/signed-jwt';
import { holderKeyOf } from './credential-claims.ts';
import type { HolderKey } from './credential-claims.ts';
import { refused } from './refusals.ts';

/** The header's typ of a proof (OpenID4VCI, appendix F.1). */
const KEY_PROOF_TYP = 'openid4vci-proof+jwt';
const MAX_BYTES = 4_096;

/** How old a proof may be, and how far ahead. */
const MAX_AGE_S = 300;

export interface KeyProof {
  key: HolderKey;
  /** What the issuer asked with; the caller sees to it that it is the issuer's, and counts once. */
  nonce: string;
}

/** Verifies that somebody who asks this issuer for a credential has the key that it is to be bound to. Throws TokenRefused. */
export async function verifyKeyProof(
  proof: string,
  { issuer, nowS = nowInSeconds() }: { issuer: string; nowS?: number },
): Promise<KeyProof> {
  const { header, payload } = await verifyJwt(proof, {
    typ: KEY_PROOF_TYP,
    findKey: (token) => ({ ...holderKeyOf(token.header.all.jwk) }),
    maxBytes: MAX_BYTES,
    ownKey: true,
  });
  if (payload.aud !== issuer) throw refused('audience', 'the proof is for somebody else');
  const iat = timeOf(payload, 'iat');
  if (iat === undefined || Math.abs(nowS - iat) > MAX_AGE_S)
    throw refused('key_binding_age', `the proof was not signed within ${MAX_AGE_S} s`);
  if (typeof payload.nonce !== 'string') throw refused('nonce', 'the proof has no nonce');
  return { key: holderKeyOf(header.all.jwk), nonce: payload.nonce };
}
