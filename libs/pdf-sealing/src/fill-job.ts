import { appendRevision } from './append/append-revision.ts';
import { drawingsOf } from './append/prepare-seal.ts';
import { TemplateCache } from './append/template-cache.ts';
import type { AnswerHead, JobHead } from './jobs.ts';

/** Templates that one child keeps. */
const CACHE_BYTES = 32 * 1024 * 1024;
const templates = new TemplateCache(CACHE_BYTES);

/**
 * Draws each value at its placeholder, and prepares the signature if one is wanted, as one appended revision. Nothing is drawn unless
 * everything can be. Throws SealingFailure.
 */
export async function fillJob(
  { template: key, placeholders, values, seal }: Extract<JobHead, { job: 'fill' }>,
  pdf: Buffer,
): Promise<{ head: AnswerHead; bytes?: Uint8Array }> {
  const sent = pdf.length === key.bytes;
  const template = sent ? await templates.compile(key.sha256, pdf) : templates.get(key.sha256);
  if (!template) return { head: { answer: 'unknown' } };
  const { delta, hole } = await appendRevision(template, await drawingsOf(template, placeholders, values), seal);
  if (!template.rewritten) return { head: { answer: 'appended', hole }, bytes: delta };
  return { head: { answer: 'filled', hole }, bytes: Buffer.concat([template.rewritten, delta]) };
}
