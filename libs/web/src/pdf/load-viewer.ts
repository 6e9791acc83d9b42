import type { PDFPageProxy } from 'pdfjs-dist';

export interface PageSize {
  /** Units of the page, as it is shown: points, unless the page has a /UserUnit of its own. Fields are placed in the same units. */
  width: number;
  height: number;
}

/** Loads what reads PDF files; ahead of time where a document will be wanted soon. */
export const loadViewer = () => import('./pdf-viewer.ts');

/** pdf.js counts in points: it multiplies by the page's /UserUnit, which plays no part where fields are placed. */
export function sizeOf(page: Pick<PDFPageProxy, 'userUnit' | 'getViewport'>): PageSize {
  const { width, height } = page.getViewport({ scale: 1 / page.userUnit });
  return { width, height };
}
