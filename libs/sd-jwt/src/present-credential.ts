import { nowInSeconds, readJwt } from '@constancia/signed-jwt';
import type { JwtSigner } from '@constancia/signed-jwt';
import { isAlong, pathKey, selectedPaths } from './claim-paths.ts';
import type { ClaimPath, ClaimPathPattern } from './claim-paths.ts';
import { joinCompact, splitCompact } from './compact-form.ts';
import { discloseClaims } from './disclosed-claims.ts';
import type { DisclosedClaims } from './disclosed-claims.ts';
import { signKeyBinding } from './key-binding.ts';
import type { KeyBinding } from './key-binding.ts';
import { MAX_CREDENTIAL_BYTES } from './limits.ts';
import { refused } from './refusals.ts';

export interface PresentationToMake extends KeyBinding {
  /** What is shown: each claim with everything inside it, and no other disclosable claim. */
  reveal: readonly ClaimPathPattern[];
  /** Seconds since 1970; now, if left out. */
  nowS?: number;
}

/** What the holder of a credential may show or keep back. Throws TokenRefused when it cannot be read. */
export const disclosableClaims = (credential: string): ClaimPath[] =>
  readCredential(credential).disclosed.map(({ path }) => path);

/**
 * Makes, as its holder, a presentation of a credential for one verifier and nonce. The issuer's signature is not checked again:
 * `verifyCredential` did so when the credential came. Throws TokenRefused when it cannot be read, Error when a claim to reveal is not there
 * or the presentation would be larger than a verifier accepts.
 */
export async function presentCredential(
  credential: string,
  presentation: PresentationToMake,
  holder: JwtSigner,
): Promise<string> {
  const { reveal, nowS = nowInSeconds(), audience, nonce } = presentation;
  const { issuerJwt, claims, disclosed } = readCredential(credential);
  const revealed = reveal.flatMap((pattern) => placesOf(claims, pattern));
  const shown = disclosed.filter(({ path }) => revealed.some((place) => isAlong(path, place)));
  const disclosures = shown.map(({ disclosure }) => disclosure);
  const withTilde = joinCompact(issuerJwt, disclosures);
  const presented = withTilde + (await signKeyBinding(withTilde, { audience, nonce }, nowS, holder));
  if (presented.length > MAX_CREDENTIAL_BYTES)
    throw new Error(`the presentation is larger than ${MAX_CREDENTIAL_BYTES} bytes`);
  return presented;
}

function placesOf(claims: DisclosedClaims['claims'], pattern: ClaimPathPattern): ClaimPath[] {
  const places = pattern.length === 0 ? [] : selectedPaths(claims, pattern);
  if (places.length === 0) throw new Error(`there is no claim at ${pathKey(pattern)}`);
  return places;
}

function readCredential(credential: string): DisclosedClaims & { issuerJwt: string } {
  const { issuerJwt, disclosures, keyBindingJwt } = splitCompact(credential);
  if (keyBindingJwt !== null) throw refused('key_binding_unexpected', 'this is a presentation');
  const { payload } = readJwt(issuerJwt, MAX_CREDENTIAL_BYTES);
  return { issuerJwt, ...discloseClaims(payload, disclosures) };
}
