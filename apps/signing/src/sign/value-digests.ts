import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson, purposeKeys, type SecretKeySettings } from '@constancia/kernel';
import type { FieldValues } from '../signer-requests/field-values.ts';

/**
 * What is kept of the values that were signed, to tell a repeated request from another signature after the values themselves are erased. Few
 * values are possible in a field, so a plain hash would give them away: it is an HMAC with the deployment's secret key.
 */
export class ValueDigests {
  /** @param keys 32 bytes each, the present one first */
  constructor(private readonly keys: readonly Buffer[]) {}

  static ofSecret(settings: SecretKeySettings): ValueDigests {
    return new ValueDigests(purposeKeys(settings, 'signedValues'));
  }

  of(signerId: string, values: FieldValues): Buffer {
    return digest(this.keys[0] as Buffer, signerId, values);
  }

  matches(signerId: string, values: FieldValues, kept: Buffer): boolean {
    return this.keys.some((key) => timingSafeEqual(digest(key, signerId, values), kept));
  }
}

function digest(key: Buffer, signerId: string, values: FieldValues): Buffer {
  return createHmac('sha256', key)
    .update(`signed_values:${signerId}:${canonicalJson(values)}`)
    .digest();
}
