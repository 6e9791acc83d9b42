import { useEffect, useRef } from 'react';

/**
 * Every screen has its entry in the browser's history, so that the way back does not lead off the page; the state decides what it shows.
 * @param screen null: none is written
 */
export function useHistoryEntry(screen: string | null): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (screen === null) return;
    if (last.current !== null && last.current !== screen) history.pushState({ screen }, '');
    last.current = screen;
  }, [screen]);
}
