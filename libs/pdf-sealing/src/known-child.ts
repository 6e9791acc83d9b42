import { ChildLost } from '@constancia/child-process';
import type { Frame, FramedChild } from '@constancia/child-process';
import type { AnswerHead, JobHead } from './jobs.ts';
import { SealingFailure } from './sealing-failure.ts';

/** pdf-lib keeps every name and reference it ever saw: a child is replaced after so many documents. */
const DOCUMENTS_PER_PROCESS = 2_000;

export interface Job {
  head: JobHead;
  pdf: Buffer;
  /** Pictures that are to be drawn, in the order of the head's `attachmentBytes`. */
  attachments: readonly Uint8Array[];
}

export interface Answer {
  head: AnswerHead;
  bytes: Buffer;
}

/** One child, and what it was sent so far. */
export class KnownChild {
  private documents = 0;
  /** Templates that it was sent; it may have forgotten some. */
  private readonly sent = new Set<string>();

  constructor(
    private readonly child: FramedChild,
    private readonly deadlineMs: number,
  ) {}

  /** Gives it a document. One at a time. Throws SealingFailure too_complex when a bound ends the process, and ChildLost. */
  async run({ head, pdf, attachments }: Job): Promise<Answer> {
    const endsAt = performance.now() + this.deadlineMs;
    const ask = async (parts: readonly Uint8Array[]) =>
      answerOf(await this.child.ask(head, parts, endsAt - performance.now()));
    try {
      const sha256 = head.job === 'revise' ? head.template.sha256 : undefined;
      if (sha256 !== undefined && this.sent.has(sha256)) {
        const answer = await ask(attachments);
        if (answer.head.answer !== 'unknown') return answer;
      }
      this.documents++;
      if (sha256 !== undefined) this.sent.add(sha256);
      return await ask([...attachments, pdf]);
    } catch (error) {
      if (error instanceof ChildLost && error.end === 'memory') throw tooMuchMemory();
      if (error instanceof ChildLost && error.end === 'deadline') throw tooLong(this.deadlineMs);
      throw error;
    } finally {
      if (this.documents >= DOCUMENTS_PER_PROCESS) this.child.kill();
    }
  }
}

const answerOf = ({ head, bytes }: Frame): Answer => ({ head: head as AnswerHead, bytes });

const tooLong = (deadlineMs: number) =>
  new SealingFailure('too_complex', `The document takes longer than ${deadlineMs / 1000} s.`);

export const tooMuchMemory = () =>
  new SealingFailure('too_complex', 'The document takes more memory than one document may.');
