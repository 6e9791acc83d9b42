import { PDFArray, PDFName, PDFRef, PDFStream } from 'pdf-lib';
import type { PDFDocument } from 'pdf-lib';
import type { Page } from './pages.ts';

/** References to the streams of a page's content. Readers drop the whole content over one part that is no stream: such parts are left out. */
export function contentRefs({ dict }: Page, { context }: PDFDocument): PDFRef[] {
  const contents = dict.get(PDFName.of('Contents'));
  const looked = context.lookup(contents);
  const named = looked instanceof PDFArray ? looked.asArray() : [contents];
  return named.filter((part) => part instanceof PDFRef && context.lookup(part) instanceof PDFStream) as PDFRef[];
}

export function contentsOf(page: Page, document: PDFDocument): PDFStream[] {
  return contentRefs(page, document).map((ref) => document.context.lookup(ref) as PDFStream);
}
