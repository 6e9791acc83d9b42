import { appendRevision } from './append/append-revision.ts';
import { compileTemplate } from './append/compile-template.ts';
import type { PreparedSeal, SealOptions } from './append/revision.ts';
import { ownPages } from './blank-page.ts';
import type { AppendedPage } from './drawing.ts';
import { laidOut } from './lay-out.ts';
import { SealingFailure } from './sealing-failure.ts';

/**
 * A document of the service's own, with a signature field whose signature is still to be computed. It is made in the calling process:
 * nobody's file is read for it, which is what PdfPool's children are for. Throws SealingFailure.
 */
export async function ownDocument(pages: readonly AppendedPage[], seal: SealOptions): Promise<PreparedSeal> {
  const [first, ...others] = pages;
  if (!first) throw new SealingFailure('internal', 'A document has a page at least.');
  const { base, additions } = ownPages([first, ...others]);
  const template = await compileTemplate(base);
  const content = laidOut(additions, template.pages);
  const { delta, hole } = await appendRevision(template, content, seal);
  if (!hole) throw new SealingFailure('internal', 'The document has no room for its signature.');
  return { bytes: Buffer.concat([base, delta]), ...hole };
}
