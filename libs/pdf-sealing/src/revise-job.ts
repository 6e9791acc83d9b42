import { appendRevision } from './append/append-revision.ts';
import { forbiddenBy } from './append/continuation.ts';
import { TemplateCache } from './append/template-cache.ts';
import { attached } from './attachments.ts';
import type { AnswerHead, JobHead } from './jobs.ts';
import { laidOut } from './lay-out.ts';
import { SealingFailure } from './sealing-failure.ts';

/** Templates that one child keeps. */
const CACHE_BYTES = 32 * 1024 * 1024;
const templates = new TemplateCache(CACHE_BYTES);

/**
 * Draws on a template, appends pages, and prepares the signature if one is wanted, as one appended revision. Nothing is drawn unless
 * everything can be. `bytes`: the attachments one after the other, then the template if it was sent. Throws SealingFailure.
 */
export async function reviseJob(
  { template: key, additions, attachmentBytes, seal }: Extract<JobHead, { job: 'revise' }>,
  bytes: Buffer,
): Promise<{ head: AnswerHead; bytes?: Uint8Array }> {
  let at = 0;
  const attachments = attachmentBytes.map((length) => bytes.subarray(at, (at += length)));
  const pdf = bytes.subarray(at);
  const sent = pdf.length === key.bytes;
  const template = sent ? await templates.compile(key.sha256, pdf) : templates.get(key.sha256);
  if (!template) return { head: { answer: 'unknown' } };
  const content = laidOut(attached(additions, attachments), template.pages);
  const draws = content.onPages.size > 0 || content.appended.length > 0;
  const signs = seal !== undefined && seal.kind !== 'timestamp'; // no certification forbids a time-stamp (ISO 32000-2, 12.8.2.2)
  const forbidden = forbiddenBy(template.earlier, { draws, signs });
  if (forbidden) throw new SealingFailure('invalid_pdf', forbidden);
  const { delta, hole } = await appendRevision(template, content, seal);
  if (!template.rewritten) return { head: { answer: 'appended', hole }, bytes: delta };
  return { head: { answer: 'filled', hole }, bytes: Buffer.concat([template.rewritten, delta]) };
}
