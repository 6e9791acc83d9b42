import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const AnnounceContext = createContext<(sentence: string) => void>(() => undefined);

/** One polite live region for the whole page: what changed without the focus moving there. */
export function Announcements({ children }: { children: ReactNode }) {
  const [sentence, setSentence] = useState('');
  // The same sentence twice is still news: a trailing space makes it another text.
  const announce = useCallback((next: string) => setSentence((last) => (last === next ? `${next} ` : next)), []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" className="unseen">
        {sentence}
      </div>
    </AnnounceContext>
  );
}

export const useAnnounce = (): ((sentence: string) => void) => useContext(AnnounceContext);
