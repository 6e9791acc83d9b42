import { isJsonObject } from '@constancia/signed-jwt';
import type { JsonObject } from '@constancia/signed-jwt';
import type { DisclosedClaim } from './disclosed-claims.ts';
import { refused } from './refusals.ts';

/** The header's typ of a credential (SD-JWT VC, section 2.2.1). */
export const CREDENTIAL_TYP = 'dc+sd-jwt';

/** Claims that are always shown (SD-JWT VC, section 2.2.2.2): the credential is not to be understood without them. */
export const ALWAYS_SHOWN: ReadonlySet<string> = new Set([
  'iss',
  'nbf',
  'exp',
  'cnf',
  'vct',
  'vct#integrity',
  'status',
]);

/** A public key on P-256: the holder's. */
export interface HolderKey {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
}

/** Where the status of a credential is found. */
export interface StatusReference {
  uri: string;
  idx: number;
}

/** Throws TokenRefused when a claim that has to be shown always was disclosable. */
export function refuseDisclosedControls(disclosed: readonly DisclosedClaim[]): void {
  const control = disclosed.find(({ path }) => path.length === 1 && ALWAYS_SHOWN.has(String(path[0])));
  if (control) throw refused('reserved_name', `${String(control.path[0])} may not be a disclosure`);
}

/** The coordinates of a P-256 key are 32 bytes each. */
const COORDINATE = /^[A-Za-z0-9_-]{43}$/;

/** The public part of a JWK, with nothing else. Throws TokenRefused unless it is a public key on P-256. */
export function holderKeyOf(jwk: unknown): HolderKey {
  const { kty, crv, x, y, d } = isJsonObject(jwk) ? jwk : {};
  if (d !== undefined) throw refused('holder_key', 'the key of the holder has its private part');
  const isPoint = typeof x === 'string' && typeof y === 'string' && COORDINATE.test(x) && COORDINATE.test(y);
  if (kty !== 'EC' || crv !== 'P-256' || !isPoint) throw refused('holder_key', 'the key of the holder is not on P-256');
  return { kty, crv, x, y };
}

/** The holder's key in a credential (RFC 7800, section 3.2). Throws TokenRefused when there is none. */
export function confirmedKey(payload: JsonObject): HolderKey {
  if (!isJsonObject(payload.cnf)) throw refused('holder_key', 'the credential is bound to no key');
  return holderKeyOf(payload.cnf.jwk);
}

/** The reference to a status list, or null when the credential has no status. Throws TokenRefused for another kind of status. */
export function statusReferenceOf(payload: JsonObject): StatusReference | null {
  const { status } = payload;
  if (status === undefined) return null;
  const list = isJsonObject(status) ? status.status_list : undefined;
  const { uri, idx } = isJsonObject(list) ? list : {};
  if (typeof uri !== 'string' || typeof idx !== 'number' || !Number.isInteger(idx) || idx < 0)
    throw refused('status', 'the status of the credential is no entry of a status list');
  return { uri, idx };
}
