/**
 * A child of PdfPool: reads untrusted PDFs and nothing else. It has no environment, no addresses and no keys; jobs and answers
 * pass through descriptor 3. Bounds of memory come from the one who starts it.
 */
import net from 'node:net';
import { FrameReader, frameOf } from './frames.ts';
import { inspectDocument } from './inspect-document.ts';
import type { AnswerHead, JobHead } from './jobs.ts';
import { embeddedSignatures } from './pades/embedded-signatures.ts';
import { reviseJob } from './revise-job.ts';
import { SealingFailure } from './sealing-failure.ts';
import { watchParent } from './watch-parent.ts';

/** pdf-lib prints what it finds in broken files. */
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => undefined;

watchParent();

/** Ctrl-C and the like reach the whole group; a document in hand is finished, and the pool says when it is over. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const READ_BYTES = 256 * 1024;
const reader = new FrameReader((frame) => void work(frame.head as JobHead, frame.bytes));
/** Every read goes to the same place: chunks of their own would be held until they are collected, as much again as the file. */
const onread: net.OnReadOpts = {
  buffer: Buffer.alloc(READ_BYTES),
  callback: (read, buffer) => reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, read)),
};
const socket = new net.Socket({ fd: 3, readable: true, writable: true, onread } as net.SocketConstructorOpts);
socket.on('error', () => process.exit(0));
socket.on('close', () => process.exit(0));
answer({ answer: 'ready' });

async function work(head: JobHead, pdf: Buffer): Promise<void> {
  try {
    if (head.job === 'inspect') answer({ answer: 'report', report: await inspectDocument(pdf, head.placeholders) });
    else if (head.job === 'verify') answer({ answer: 'verified', signatures: embeddedSignatures(pdf) });
    else {
      const revised = await reviseJob(head, pdf);
      answer(revised.head, revised.bytes);
    }
  } catch (error) {
    const failure = asFailure(error);
    answer({ answer: 'failed', code: failure.code, sentence: failure.message });
  }
}

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

function answer(head: AnswerHead, bytes?: Uint8Array): void {
  for (const part of frameOf(head, bytes ? [bytes] : [])) socket.write(part);
}
