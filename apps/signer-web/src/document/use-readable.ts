import { useCallback, useEffect, useState } from 'react';
import type { OpenDocument } from './open-document.tsx';

/** A page that takes longer is taken for one that cannot be drawn: the file can be downloaded beside it. */
const DRAWING_MS = 30_000;

/** Whether somebody can read the document: a page is on the screen, or it cannot be shown and is offered as a file. */
export function useReadable({ phase }: OpenDocument): { readable: boolean; onDrawn: () => void } {
  const [drawn, setDrawn] = useState(false);
  const onDrawn = useCallback(() => setDrawn(true), []);
  useEffect(() => {
    if (phase !== 'ready') return undefined;
    const limit = setTimeout(onDrawn, DRAWING_MS);
    return () => clearTimeout(limit);
  }, [phase, onDrawn]);
  return { readable: drawn || phase === 'failed', onDrawn };
}
