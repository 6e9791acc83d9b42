import type { PdfPool, Placeholder, TemplateReport } from '@constancia/pdf-sealing';
import { DependencyUnavailable } from '@constancia/problem-json';

/** What is wrong with the PDF comes as warnings; an error is our own: too many PDFs wait, or no process can be started. */
export async function inspected(
  pdfs: PdfPool,
  pdf: Buffer,
  placeholders: readonly Placeholder[],
): Promise<TemplateReport> {
  try {
    return await pdfs.inspect(pdf, placeholders);
  } catch (error) {
    throw readersUnavailable(error);
  }
}

/** 503: the processes that read PDFs are all taken, or cannot be started. */
export function readersUnavailable(cause: unknown): DependencyUnavailable {
  return new DependencyUnavailable('PDFs cannot be read at present: try again.', {}, {}, cause);
}
