import { type EmbeddedSignature, subjectName } from '@constancia/pdf-sealing';
import type { SigningKey } from '../signing-keys/signing-key.entity.ts';
import type { EmbeddedSignatureView } from './verification-view.ts';

/** How a file is a sealed document with long-term evidence behind it. */
export interface Extension {
  level: 'B-LT' | 'B-LTA';
  /** Length of the sealed document, with which the file begins. */
  sealedBytes: number;
}

/**
 * The service's own among the signatures of a file, the latest first. One that can no longer be read, where ours would stand, is
 * ours and broken: it does not pass for a file without a signature. Null when there is none.
 *
 * @param extension given when the file is, byte for byte, one that the service extended
 */
export function ownSignature(
  found: EmbeddedSignature[],
  keys: SigningKey[],
  extension?: Extension,
): EmbeddedSignatureView | null {
  const fingerprints = keys.map(({ fingerprint }) => fingerprint.toString('hex'));
  const isOwn = ({ kind, keyFingerprint }: EmbeddedSignature) =>
    kind === 'signature' && keyFingerprint !== null && fingerprints.includes(keyFingerprint);
  const own = found.find(isOwn);
  const broken = found.find(({ keyFingerprint }) => keyFingerprint === null);
  const shown = own ?? broken;
  if (!shown) return null;
  const extended = extension !== undefined && own !== undefined && isExtended(found, own, extension);
  const valid = extended || (own !== undefined && own.valid);
  return {
    valid,
    level: extended ? extension.level : shown.level,
    certified: valid && own !== undefined && own.certified,
    signer: shown.signer ?? publishedName(keys),
  };
}

/** The signature holds over the sealed document, and at B-LTA the latest time-stamp over all of the file. */
function isExtended([latest]: EmbeddedSignature[], own: EmbeddedSignature, { level, sealedBytes }: Extension): boolean {
  const stamped = latest !== undefined && latest.kind === 'timestamp' && latest.valid;
  return own.holdsOver === sealedBytes && (level === 'B-LT' || stamped);
}

/** The name under which the key signs. */
function publishedName(keys: SigningKey[]): string {
  const certificate = keys.find(({ certificate_der }) => certificate_der !== null)?.certificate_der;
  return certificate ? subjectName(certificate) : '';
}
