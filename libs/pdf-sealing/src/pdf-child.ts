/**
 * A child of PdfPool: reads untrusted PDFs and nothing else. It has no environment, no addresses and no keys; jobs and answers
 * pass through descriptor 3. Bounds of memory come from the one who starts it.
 */
import { serveParent } from '@constancia/child-process';
import { evidenceJob } from './append/evidence-job.ts';
import { inspectDocument } from './inspect-document.ts';
import type { AnswerHead, JobHead } from './jobs.ts';
import { embeddedSignatures } from './pades/embedded-signatures.ts';
import { reviseJob } from './revise-job.ts';
import { SealingFailure } from './sealing-failure.ts';

serveParent({ answer: 'ready' } satisfies AnswerHead, ({ head, bytes }) => work(head as JobHead, bytes));

async function work(head: JobHead, pdf: Buffer): Promise<{ head: AnswerHead; bytes?: Uint8Array }> {
  try {
    if (head.job === 'inspect')
      return answer({ answer: 'report', report: await inspectDocument(pdf, head.placeholders) });
    if (head.job === 'verify') return answer({ answer: 'verified', signatures: embeddedSignatures(pdf) });
    if (head.job === 'evidence') return await evidenceJob(head.attachmentBytes, pdf);
    return await reviseJob(head, pdf);
  } catch (error) {
    const failure = asFailure(error);
    return answer({ answer: 'failed', code: failure.code, sentence: failure.message });
  }
}

const answer = (head: AnswerHead) => ({ head });

/**
 * A stack or a buffer that overflows comes from the size of the input. pdf-lib's own errors are plain Errors, about the form of
 * the input. Every other kind is a mistake of ours.
 */
function asFailure(error: unknown): SealingFailure {
  if (error instanceof SealingFailure) return error;
  if (error instanceof RangeError || (error as NodeJS.ErrnoException)?.code === 'ERR_MEMORY_ALLOCATION_FAILED')
    return new SealingFailure('too_complex', 'The document takes more memory than one document may.');
  if (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype)
    return new SealingFailure('invalid_pdf', 'The document has parts that cannot be read as a PDF.');
  return new SealingFailure('internal', 'The document could not be processed.');
}
