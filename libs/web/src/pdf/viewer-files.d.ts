/// <reference types="vite/client" />

/** Where the viewer's own files lie, with a slash at the end (libs/web/vite/viewer-files.mjs). */
declare const VIEWER_FILES: string;

declare module 'pdfjs-dist/legacy/build/pdf.mjs' {
  export * from 'pdfjs-dist';
}
