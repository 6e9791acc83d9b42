export interface PageSize {
  /** Points, as the page is shown. */
  width: number;
  height: number;
}

/** Loads what reads PDF files; ahead of time where a document will be wanted soon. */
export const loadViewer = () => import('./pdf-viewer.ts');
