import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';

interface Announcing {
  announce: (sentence: string) => void;
  leavePage: () => void;
}

const AnnounceContext = createContext<Announcing>({ announce: () => undefined, leavePage: () => undefined });

/** Long enough to read two sentences. */
const SHOWN_MS = 10_000;

/** One polite live region for the whole page: what changed without the focus moving there. `shown`: seen as well, for ten seconds. */
export function Announcements({ children, shown = false }: { children: ReactNode; shown?: boolean }) {
  const [sentence, setSentence] = useState('');
  const isNew = useRef(false);
  // The same sentence twice is still news: a trailing space makes it another text.
  const announce = useCallback((next: string) => {
    setSentence((last) => (last === next && next !== '' ? `${next} ` : next));
    isNew.current = true;
    setTimeout(() => (isNew.current = false));
  }, []);
  const leavePage = useCallback(() => {
    if (!isNew.current) setSentence('');
  }, []);
  useEffect(() => {
    if (!shown || sentence === '') return;
    const timer = setTimeout(() => setSentence(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown, sentence]);
  const context = useMemo(() => ({ announce, leavePage }), [announce, leavePage]);
  return (
    <AnnounceContext value={context}>
      {children}
      <div role="status" aria-live="polite" className={shown ? 'announcement' : 'unseen'}>
        {sentence}
      </div>
    </AnnounceContext>
  );
}

export const useAnnounce = (): ((sentence: string) => void) => useContext(AnnounceContext).announce;

/** Takes away what was announced on the page that is left; not what is said of the very step that leaves it, as "sent" is. */
export const useLeavePage = (): (() => void) => useContext(AnnounceContext).leavePage;
