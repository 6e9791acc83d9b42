import { checkTimes, timeOf, verifyJwt } from '@constancia/signed-jwt';
import type { JwtSigner } from '@constancia/signed-jwt';
import { sdHash } from './compact-form.ts';
import type { HolderKey } from './credential-claims.ts';
import { refused } from './refusals.ts';

/** The header's typ of a key binding (RFC 9901, section 4.3). */
const KEY_BINDING_TYP = 'kb+jwt';

/** How old a key binding may be, and how far ahead. */
const MAX_AGE_S = 120;

export interface KeyBinding {
  /** Whom the presentation is for. */
  audience: string;
  /** What the verifier asked with, so that a presentation counts once. */
  nonce: string;
}

/** Signs, as the holder, that this credential with these disclosures is shown to this verifier now. */
export const signKeyBinding = (
  credentialWithTilde: string,
  { audience, nonce }: KeyBinding,
  issuedAtS: number,
  holder: JwtSigner,
): Promise<string> =>
  holder(KEY_BINDING_TYP, { iat: issuedAtS, aud: audience, nonce, sd_hash: sdHash(credentialWithTilde) });

/**
 * Checks that the holder's key signed exactly this for exactly this verifier, at most two minutes ago (RFC 9901, section 7.3).
 * Throws TokenRefused.
 */
export async function verifyKeyBinding(
  keyBindingJwt: string,
  credentialWithTilde: string,
  expected: KeyBinding,
  holderKey: HolderKey,
  nowS: number,
): Promise<void> {
  const { payload } = await verifyJwt(keyBindingJwt, { typ: KEY_BINDING_TYP, findKey: () => ({ ...holderKey }) });
  if (payload.aud !== expected.audience) throw refused('audience', 'the presentation is for somebody else');
  if (payload.nonce !== expected.nonce) throw refused('nonce', 'the presentation answers another request');
  if (payload.sd_hash !== sdHash(credentialWithTilde))
    throw refused('sd_hash', 'the holder signed another credential, or other disclosures');
  const iat = timeOf(payload, 'iat');
  if (iat === undefined || Math.abs(nowS - iat) > MAX_AGE_S)
    throw refused('key_binding_age', `the presentation was not signed within ${MAX_AGE_S} s`);
  checkTimes({ ...payload, iat: nowS }, nowS); // exp and nbf, if the holder set them; iat was checked
}
