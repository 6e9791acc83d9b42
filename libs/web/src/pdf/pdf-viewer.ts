// Loaded when a document is first opened, since it outweighs the rest of the page. The legacy build runs on phones some years old.
import { getDocument, GlobalWorkerOptions, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import type { PDFDocumentProxy } from 'pdfjs-dist';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Errors only: what pdf.js would say about a strange file is of no use to the reader. */
const QUIET = 0;

/** @param bytes of a PDF; they move to the worker and are gone here. Rejects when they are no PDF or cannot be read. */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  return await getDocument({
    data: bytes,
    isEvalSupported: false,
    useWasm: false,
    cMapUrl: `${VIEWER_FILES}cmaps/`,
    standardFontDataUrl: `${VIEWER_FILES}standard_fonts/`,
    wasmUrl: `${VIEWER_FILES}wasm/`,
    enableXfa: false,
    verbosity: QUIET,
  }).promise;
}

export { TextLayer };
