import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const AnnounceContext = createContext<(sentence: string) => void>(() => undefined);

/** One polite live region for the whole page: what changed without the focus moving there. Unseen, unless `className` shows it. */
export function Announcements({ children, className = 'unseen' }: { children: ReactNode; className?: string }) {
  const [sentence, setSentence] = useState('');
  // The same sentence twice is still news: a trailing space makes it another text.
  const announce = useCallback(
    (next: string) => setSentence((last) => (last === next && next !== '' ? `${next} ` : next)),
    [],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" className={className}>
        {sentence}
      </div>
    </AnnounceContext>
  );
}

export const useAnnounce = (): ((sentence: string) => void) => useContext(AnnounceContext);
