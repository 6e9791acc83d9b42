import { type EmbeddedSignature, subjectName } from '@constancia/pdf-sealing';
import type { SigningKey } from '../signing-keys/signing-key.entity.ts';
import type { EmbeddedSignatureView } from './verification-view.ts';

/**
 * The service's own among the signatures of a file, the latest first. One that can no longer be read, where ours would stand, is
 * ours and broken: it does not pass for a file without a signature. Null when there is none.
 */
export function ownSignature(found: EmbeddedSignature[], keys: SigningKey[]): EmbeddedSignatureView | null {
  const fingerprints = keys.map(({ fingerprint }) => fingerprint.toString('hex'));
  const own = found.find(({ keyFingerprint }) => keyFingerprint !== null && fingerprints.includes(keyFingerprint));
  const broken = found.find(({ keyFingerprint }) => keyFingerprint === null);
  const shown = own ?? broken;
  if (!shown) return null;
  const valid = own !== undefined && own.valid;
  return { valid, level: shown.level, certified: valid && own.certified, signer: shown.signer ?? publishedName(keys) };
}

/** The name under which the key signs. */
function publishedName(keys: SigningKey[]): string {
  const certificate = keys.find(({ certificate_der }) => certificate_der !== null)?.certificate_der;
  return certificate ? subjectName(certificate) : '';
}
