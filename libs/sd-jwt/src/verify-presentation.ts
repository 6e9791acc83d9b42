import { checkTimes, nowInSeconds, verifyJwt } from '@constancia/signed-jwt';
import type { JsonObject, JwtAlgorithm, JwtKeyFinder } from '@constancia/signed-jwt';
import type { ClaimPath } from './claim-paths.ts';
import { joinCompact, splitCompact } from './compact-form.ts';
import type { CompactParts } from './compact-form.ts';
import { CREDENTIAL_TYP, confirmedKey, refuseDisclosedControls, statusReferenceOf } from './credential-claims.ts';
import type { HolderKey, StatusReference } from './credential-claims.ts';
import { discloseClaims } from './disclosed-claims.ts';
import { verifyKeyBinding } from './key-binding.ts';
import type { KeyBinding } from './key-binding.ts';
import { MAX_CREDENTIAL_BYTES } from './limits.ts';
import { refused } from './refusals.ts';
import type { CredentialRefusal } from './refusals.ts';

/** Looks up the status that a credential refers to: 0 for valid. Throws when it cannot be found, and the credential is not accepted. */
export type StatusReader = (reference: StatusReference) => Promise<number>;

export interface ExpectedCredential {
  /** The types that are accepted. */
  vct: readonly string[];
  /** The key of an issuer that is trusted for these types; null for any other issuer. */
  findIssuerKey: JwtKeyFinder;
  /** Of the issuer's signature. */
  algorithms?: readonly JwtAlgorithm[];
  /** The verifier says how its status is read, or that it does not matter. */
  status: StatusReader | 'ignored';
  /** Seconds since 1970; now, if left out. */
  nowS?: number;
}

export interface ExpectedPresentation extends ExpectedCredential, KeyBinding {}

export interface VerifiedCredential {
  /** All claims that were shown, those of the credential itself (iss, vct, exp and others) included. */
  claims: JsonObject;
  /** Which of them were disclosed, and could have been kept back. */
  disclosed: ClaimPath[];
  holderKey: HolderKey;
  status: StatusReference | null;
}

/**
 * Verifies, as a verifier, what a holder presents: the issuer's signature, every disclosure, the holder's signature for this verifier and
 * nonce, the times and the status. Throws TokenRefused. That a nonce counts once is the caller's to see to: it deletes the nonce in the
 * transaction that uses the claims.
 */
export async function verifyPresentation(
  presentation: string,
  expected: ExpectedPresentation,
): Promise<VerifiedCredential> {
  const { nowS = nowInSeconds() } = expected;
  const parts = splitCompact(presentation);
  const { issuerJwt, disclosures, keyBindingJwt } = parts;
  if (keyBindingJwt === null) throw refused('key_binding_missing', 'the holder did not sign the presentation');
  const credential = await verifySigned(parts, expected, nowS);
  await verifyKeyBinding(keyBindingJwt, joinCompact(issuerJwt, disclosures), expected, credential.holderKey, nowS);
  await checkStatus(credential.status, expected.status);
  return credential;
}

/** Verifies, as its holder, a credential that an issuer sent. Throws TokenRefused, for a presentation too. */
export async function verifyCredential(text: string, expected: ExpectedCredential): Promise<VerifiedCredential> {
  const parts = splitCompact(text);
  if (parts.keyBindingJwt !== null) throw refused('key_binding_unexpected', 'this is a presentation');
  const credential = await verifySigned(parts, expected, expected.nowS ?? nowInSeconds());
  await checkStatus(credential.status, expected.status);
  return credential;
}

async function verifySigned(
  { issuerJwt, disclosures }: CompactParts,
  { vct, findIssuerKey, algorithms }: ExpectedCredential,
  nowS: number,
): Promise<VerifiedCredential> {
  const expected = { typ: CREDENTIAL_TYP, findKey: findIssuerKey, algorithms, maxBytes: MAX_CREDENTIAL_BYTES };
  const { payload } = await verifyJwt(issuerJwt, expected);
  const { claims, disclosed } = discloseClaims(payload, disclosures);
  refuseDisclosedControls(disclosed);
  if (typeof claims.vct !== 'string' || !vct.includes(claims.vct))
    throw refused('credential_type', 'the credential is of another type');
  checkTimes(claims, nowS);
  return {
    claims,
    disclosed: disclosed.map(({ path }) => path),
    holderKey: confirmedKey(claims),
    status: statusReferenceOf(claims),
  };
}

const REFUSED_STATUSES: Readonly<Record<number, CredentialRefusal>> = { 1: 'revoked', 2: 'suspended', 3: 'superseded' };

async function checkStatus(reference: StatusReference | null, reader: StatusReader | 'ignored'): Promise<void> {
  if (reference === null || reader === 'ignored') return;
  const status = await reader(reference);
  if (status === 0) return;
  const reason = REFUSED_STATUSES[status] ?? 'status';
  throw refused(reason, `the status of the credential is ${status}`);
}
