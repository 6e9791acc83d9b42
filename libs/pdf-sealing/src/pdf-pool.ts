import type { Hole, PreparedSeal, SealOptions } from './append/revision.ts';
import { detached } from './attachments.ts';
import type { Additions } from './drawing.ts';
import type { Evidence } from './append/evidence.ts';
import { HashedFile } from './hashed-file.ts';
import type { EmbeddedSignature } from './pades/embedded-signatures.ts';
import { PdfChildren } from './pdf-children.ts';
import type { PdfPoolOptions } from './pdf-children.ts';
import type { Job } from './known-child.ts';
import type { Placeholder } from './placeholder.ts';
import { SealingFailure } from './sealing-failure.ts';
import { unreadable } from './template-report.ts';
import type { TemplateReport } from './template-report.ts';
import { valuesAt } from './values-at.ts';

const hexOf = ({ sha256 }: HashedFile) => sha256.toString('hex');

const confused = () => new SealingFailure('internal', 'The process that reads documents is confused.');

/**
 * Reads and fills PDFs in child processes bounded in time and memory. No input takes the calling process down: a child that dies
 * costs its one document `too_complex` (after a second try, when it is not plain why) and is replaced.
 */
export class PdfPool {
  private readonly children: PdfChildren;

  constructor(options: PdfPoolOptions) {
    this.children = new PdfChildren(options);
  }

  /** Starts every child ahead of need, so that the first documents do not wait for it. Throws SealingFailure `internal`. */
  start(): Promise<void> {
    return this.children.start();
  }

  /**
   * Looks at a template as the sealing run will. What is wrong with the file comes as a warning, never as an error. Throws
   * PdfPoolBusy, and SealingFailure `internal` when no child can be started.
   */
  async inspect(pdf: Buffer, placeholders: readonly Placeholder[]): Promise<TemplateReport> {
    try {
      const { head } = await this.children.run({ head: { job: 'inspect', placeholders }, pdf, attachments: [] });
      if (head.answer !== 'report') throw confused();
      return head.report;
    } catch (error) {
      if (error instanceof SealingFailure && error.code !== 'internal') return unreadable(error);
      throw error;
    }
  }

  /** `draw` with each value at its placeholder, on one line. */
  fill(
    pdf: Buffer,
    placeholders: readonly Placeholder[],
    values: Readonly<Record<string, string>>,
    sha256?: string,
  ): Promise<Buffer> {
    return this.draw(pdf, { drawings: valuesAt(placeholders, values) }, sha256);
  }

  /** `assemble` with each value at its placeholder, on one line. */
  prepare(
    pdf: Buffer | HashedFile,
    placeholders: readonly Placeholder[],
    values: Readonly<Record<string, string>>,
    seal: SealOptions,
  ): Promise<PreparedSeal> {
    return this.assemble(pdf, { drawings: valuesAt(placeholders, values) }, seal);
  }

  /**
   * Draws on a template, appends pages behind its own, and answers the new file: the template's own bytes and, behind them, one revision. A
   * damaged template is rewritten first. Throws SealingFailure (the input's fault, or `internal`) and PdfPoolBusy. The same input
   * makes the same file. `sha256`: the template's, in hex, if it is known already.
   */
  async draw(pdf: Buffer, additions: Additions, sha256?: string): Promise<Buffer> {
    return (await this.revise(pdf, sha256 ?? hexOf(new HashedFile(pdf)), additions, undefined)).bytes;
  }

  /**
   * As `draw`, and with a signature field whose signature is still to be computed and put into the hole, in the same revision:
   * signatures that the template has stay valid. A template that was hashed before is not hashed again for its documents.
   */
  async assemble(pdf: Buffer | HashedFile, additions: Additions, seal: SealOptions): Promise<PreparedSeal> {
    const base = pdf instanceof HashedFile ? pdf : new HashedFile(pdf);
    const { bytes, hole, appended } = await this.revise(base.bytes, hexOf(base), additions, seal);
    if (!hole) throw confused();
    return { bytes, ...(appended && { base }), ...hole };
  }

  /**
   * Appends evidence about the last signature of a sealed document as a revision of its own: the document's bytes stay as they are. Throws
   * SealingFailure and PdfPoolBusy.
   */
  async withEvidence(pdf: Buffer, evidence: Evidence, contents: Buffer): Promise<Buffer> {
    const { certificates, ocspResponses, crls } = evidence;
    const lengths = (items: readonly Buffer[]) => items.map(({ length }) => length);
    const attachmentBytes = {
      contents: contents.length,
      certificates: lengths(certificates),
      ocspResponses: lengths(ocspResponses),
      crls: lengths(crls),
    };
    const attachments = [contents, ...certificates, ...ocspResponses, ...crls];
    const { head, bytes } = await this.children.run({ head: { job: 'evidence', attachmentBytes }, pdf, attachments });
    if (head.answer !== 'appended') throw confused();
    return Buffer.concat([pdf, bytes]);
  }

  /** `appended`: the new file begins with the template's bytes. */
  private async revise(
    pdf: Buffer,
    sha256: string,
    all: Additions,
    seal: SealOptions | undefined,
  ): Promise<{ bytes: Buffer; hole: Hole | undefined; appended: boolean }> {
    const { additions, attachments } = detached(all);
    const attachmentBytes = attachments.map(({ length }) => length);
    const template = { sha256, bytes: pdf.length };
    const head: Job['head'] = { job: 'revise', template, additions, attachmentBytes, seal };
    const { head: answer, bytes } = await this.children.run({ head, pdf, attachments });
    if (answer.answer !== 'filled' && answer.answer !== 'appended') throw confused();
    const appended = answer.answer === 'appended';
    return { bytes: appended ? Buffer.concat([pdf, bytes]) : bytes, hole: answer.hole, appended };
  }

  /**
   * The signatures in the bytes, the latest first, each verified over its byte range. Bytes that are too much work have none. Throws
   * PdfPoolBusy, and SealingFailure `internal` when no child can be started.
   */
  async verify(pdf: Buffer): Promise<EmbeddedSignature[]> {
    try {
      const { head } = await this.children.run({ head: { job: 'verify' }, pdf, attachments: [] });
      if (head.answer !== 'verified') throw confused();
      return head.signatures;
    } catch (error) {
      if (error instanceof SealingFailure && error.code !== 'internal') return [];
      throw error;
    }
  }

  /** Lets documents in progress finish, refuses those that wait, and ends the children. */
  close(): Promise<void> {
    return this.children.close();
  }
}
