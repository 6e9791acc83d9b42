import type { JsonObject } from './json.ts';
import { refused } from './token-refused.ts';

/** How far the signer's clock may be ahead of ours. */
const CLOCK_SKEW_S = 60;

/**
 * Checks exp, nbf and iat (RFC 7519, section 4.1), each if it is there. `nowS` is in seconds since 1970. A token ends with the
 * second of its exp: no tolerance. Throws TokenRefused.
 */
export function checkTimes(payload: JsonObject, nowS: number): void {
  const exp = timeOf(payload, 'exp');
  const nbf = timeOf(payload, 'nbf');
  const iat = timeOf(payload, 'iat');
  if (exp !== undefined && exp <= nowS) throw refused('expired', 'the token has expired');
  if (nbf !== undefined && nbf > nowS + CLOCK_SKEW_S) throw refused('not_yet_valid', 'the token is not valid yet');
  if (iat !== undefined && iat > nowS + CLOCK_SKEW_S) throw refused('issued_at', 'the token was issued in the future');
}

/** A NumericDate, or undefined when the claim is absent. Throws TokenRefused when it is not a number. */
export function timeOf(payload: JsonObject, claim: string): number | undefined {
  const value = payload[claim];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw refused('malformed', `${claim} is not a time`);
  return value;
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1_000);
