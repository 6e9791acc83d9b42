import type { Placeholder } from './placeholder.ts';
import { SealingFailure } from './sealing-failure.ts';
import type { TemplateReport } from './template-report.ts';

export interface PdfPoolOptions {
  /** Child processes at the most; started when first needed. */
  processes: number;
  /** Bound of each child's memory, in MiB. */
  memoryMb: number;
  /** Longest time for one document; then the child is killed and that one call fails with too_complex. */
  deadlineMs: number;
  /** File of the child's bundle; default: pdf-child.js beside the running bundle. */
  childPath?: string;
}

/** Reads and fills PDFs in child processes bounded in time and memory. No input takes the calling process down. */
export class PdfPool {
  constructor(readonly options: PdfPoolOptions) {}

  /** Looks at a template. Never throws for what is in the file: warnings say it. */
  inspect(_pdf: Buffer, _placeholders: Placeholder[]): Promise<TemplateReport> {
    return Promise.reject(new SealingFailure('internal', 'not built yet'));
  }

  /** Draws the values and saves. Throws SealingFailure. */
  fill(_pdf: Buffer, _placeholders: Placeholder[], _values: Record<string, string>): Promise<Buffer> {
    return Promise.reject(new SealingFailure('internal', 'not built yet'));
  }

  async close(): Promise<void> {}
}
