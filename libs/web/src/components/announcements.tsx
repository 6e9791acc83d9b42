import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

const AnnounceContext = createContext<(sentence: string) => void>(() => undefined);

/** Long enough to read two sentences. */
const SHOWN_MS = 10_000;

/** One polite live region for the whole page: what changed without the focus moving there. `shown`: seen as well, for ten seconds. */
export function Announcements({ children, shown = false }: { children: ReactNode; shown?: boolean }) {
  const [sentence, setSentence] = useState('');
  // The same sentence twice is still news: a trailing space makes it another text.
  const announce = useCallback(
    (next: string) => setSentence((last) => (last === next && next !== '' ? `${next} ` : next)),
    [],
  );
  useEffect(() => {
    if (!shown || sentence === '') return;
    const timer = setTimeout(() => setSentence(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown, sentence]);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" className={shown ? 'announcement' : 'unseen'}>
        {sentence}
      </div>
    </AnnounceContext>
  );
}

export const useAnnounce = (): ((sentence: string) => void) => useContext(AnnounceContext);
