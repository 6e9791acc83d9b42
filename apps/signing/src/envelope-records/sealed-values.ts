import { SIGNING_CONTEXT, type SignerValues } from '@constancia/contracts';
import type { SubjectKey } from '@constancia/personal-data';

const orNull = (values: SignerValues): SignerValues | null => (Object.keys(values).length > 0 ? values : null);

/** With the key of the envelope; null when there are none. */
export function sealSenderValues(key: SubjectKey, envelopeId: string, values: SignerValues): Buffer | null {
  return orNull(values) && key.seal(SIGNING_CONTEXT.senderValues(envelopeId), values);
}

export function openSenderValues(key: SubjectKey, envelopeId: string, sealed: Buffer): SignerValues {
  return key.open<SignerValues>(SIGNING_CONTEXT.senderValues(envelopeId), sealed);
}

/** With the key of the signer; null when nothing is suggested. */
export function sealPrefill(key: SubjectKey, signerId: string, values: SignerValues): Buffer | null {
  return orNull(values) && key.seal(SIGNING_CONTEXT.prefill(signerId), values);
}

export function openPrefill(key: SubjectKey, signerId: string, sealed: Buffer): SignerValues {
  return key.open<SignerValues>(SIGNING_CONTEXT.prefill(signerId), sealed);
}
