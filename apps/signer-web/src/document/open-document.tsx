import { loadViewer, type PageSize } from '@constancia/web/pdf';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { Refused } from '../api/failures.ts';
import { download, type Progress } from './download.ts';

export type OpenDocument =
  | { phase: 'closed' }
  | { phase: 'downloading'; progress: Progress }
  | { phase: 'opening' }
  | { phase: 'ready'; pdf: PDFDocumentProxy; firstPage: PageSize }
  /** later: the envelope shows the document only to who has authenticated. */
  | { phase: 'failed'; later: boolean };

interface DocumentAccess {
  document: OpenDocument;
  /** Downloads and opens it, unless that is under way or done. */
  open: () => void;
}

const DocumentContext = createContext<DocumentAccess | null>(null);

/** Keeps the document open across screens: a phone downloads it once. */
interface DocumentProps {
  request: (init: RequestInit) => Promise<Response>;
  /** Tells the server that the document is shown, once the reader has authenticated; null before. */
  onShown: (() => Promise<void>) | null;
  children: ReactNode;
}

export function DocumentProvider({ request, onShown, children }: DocumentProps) {
  const [document, setDocument] = useState<OpenDocument>({ phase: 'closed' });
  const busy = useRef(false);
  const leaving = useRef(new AbortController());

  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);

  const open = useCallback(() => {
    if (busy.current) return;
    busy.current = true;
    const { signal } = leaving.current;
    setDocument({ phase: 'downloading', progress: { received: 0, total: null } });
    const bytes = download(request, signal, (progress) => setDocument({ phase: 'downloading', progress }));
    Promise.all([bytes, loadViewer()])
      .then(async ([file, viewer]) => {
        setDocument({ phase: 'opening' });
        const pdf = await viewer.openPdf(file);
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
        setDocument({ phase: 'ready', pdf, firstPage: { width, height } });
      })
      .catch((failure: unknown) => {
        busy.current = false;
        if (signal.aborted) return;
        setDocument({ phase: 'failed', later: failure instanceof Refused && failure.status === 409 });
      });
  }, [request]);

  // A document that was downloaded before authenticating is on the screen now: that is what is recorded as shown.
  const openedBefore = useRef(false);
  const ready = document.phase === 'ready';
  useEffect(() => {
    if (onShown === null) openedBefore.current = ready;
    else if (ready && openedBefore.current) {
      openedBefore.current = false;
      onShown().catch(() => undefined); // then the trail says that no document was shown before the signature
    }
  }, [ready, onShown]);

  const access = useMemo(() => ({ document, open }), [document, open]);
  return <DocumentContext value={access}>{children}</DocumentContext>;
}

export function useDocument(): DocumentAccess {
  const access = useContext(DocumentContext);
  if (access === null) throw new Error('no document around this component');
  return access;
}
