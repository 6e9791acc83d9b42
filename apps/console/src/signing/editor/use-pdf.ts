import { loadViewer, type PageSize } from '@constancia/web/pdf';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';

export interface OpenPdf {
  pdf: PDFDocumentProxy;
  /** Of each page, in their order. */
  sizes: readonly PageSize[];
}

/** A PDF, opened; null while it is being opened; 'unreadable' when it cannot be. */
export function usePdf(file: Blob | null): OpenPdf | null | 'unreadable' {
  const [open, setOpen] = useState<OpenPdf | null | 'unreadable'>(null);
  useEffect(() => {
    setOpen(null);
    if (file === null) return undefined;
    let wanted = true;
    let opened: PDFDocumentProxy | undefined;
    const read = async (): Promise<void> => {
      const [viewer, bytes] = await Promise.all([loadViewer(), file.arrayBuffer()]);
      opened = await viewer.openPdf(new Uint8Array(bytes));
      const sizes: PageSize[] = [];
      for (let number = 1; number <= opened.numPages; number++) {
        const { width, height } = (await opened.getPage(number)).getViewport({ scale: 1 });
        sizes.push({ width, height });
      }
      if (wanted) setOpen({ pdf: opened, sizes });
    };
    read().catch(() => wanted && setOpen('unreadable'));
    return () => {
      wanted = false;
      void opened?.loadingTask.destroy();
    };
  }, [file]);
  return open;
}
