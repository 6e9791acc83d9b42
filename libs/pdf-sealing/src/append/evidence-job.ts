import { appendEvidence } from './append-evidence.ts';
import type { AnswerHead, EvidenceBytes } from '../jobs.ts';

/** Appends evidence. `bytes`: what `lengths` counts, one after the other, then the document. Throws SealingFailure. */
export async function evidenceJob(
  lengths: EvidenceBytes,
  bytes: Buffer,
): Promise<{ head: AnswerHead; bytes: Uint8Array }> {
  let at = 0;
  const take = (length: number) => bytes.subarray(at, (at += length));
  const contents = take(lengths.contents);
  const evidence = {
    certificates: lengths.certificates.map(take),
    ocspResponses: lengths.ocspResponses.map(take),
    crls: lengths.crls.map(take),
  };
  const delta = await appendEvidence(bytes.subarray(at), evidence, contents);
  return { head: { answer: 'appended' }, bytes: delta };
}
