import { loadViewer, type PageSize, sizeOf } from '@constancia/web/pdf';
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
      if (!wanted) return;
      opened = await viewer.openPdf(new Uint8Array(bytes));
      const sizes: PageSize[] = [];
      for (let number = 1; wanted && number <= opened.numPages; number++)
        sizes.push(sizeOf(await opened.getPage(number)));
      if (wanted) setOpen({ pdf: opened, sizes });
      else void opened.loadingTask.destroy(); // it was opened after the page was left
    };
    read().catch(() => wanted && setOpen('unreadable'));
    return () => {
      wanted = false;
      void opened?.loadingTask.destroy();
    };
  }, [file]);
  return open;
}
