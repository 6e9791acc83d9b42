import type { Hole, SealOptions } from './append/revision.ts';
import type { AdditionsOnWire } from './attachments.ts';
import type { EmbeddedSignature } from './pades/embedded-signatures.ts';
import type { Placeholder } from './placeholder.ts';
import type { FailureCode } from './sealing-failure.ts';
import type { TemplateReport } from './template-report.ts';

/** A template by its content. */
export interface TemplateKey {
  /** Hex. */
  sha256: string;
  bytes: number;
}

/**
 * What the pool asks of a child; the PDF is the frame's bytes. To revise: the pictures that are to be drawn stand before the PDF, and a
 * template that the child has seen stays away. With `seal`, a signature field is prepared.
 */
export type JobHead =
  | { job: 'inspect'; placeholders: readonly Placeholder[] }
  | { job: 'verify' }
  | { job: 'evidence'; attachmentBytes: EvidenceBytes }
  | {
      job: 'revise';
      template: TemplateKey;
      additions: AdditionsOnWire;
      attachmentBytes: number[];
      seal?: SealOptions;
    };

/** Lengths of the attachments of an evidence job, in their order: /Contents of the signature, then the evidence. */
export interface EvidenceBytes {
  contents: number;
  certificates: number[];
  ocspResponses: number[];
  crls: number[];
}

/**
 * What a child answers. `filled`: the frame's bytes are the whole file. `appended`: they follow the template's own. `unknown`: the template is
 * not known (any more), send its bytes. `ready` comes once, before any job.
 */
export type AnswerHead =
  | { answer: 'ready' }
  | { answer: 'report'; report: TemplateReport }
  | { answer: 'verified'; signatures: EmbeddedSignature[] }
  | { answer: 'filled' | 'appended'; hole?: Hole }
  | { answer: 'unknown' }
  | { answer: 'failed'; code: FailureCode; sentence: string };
