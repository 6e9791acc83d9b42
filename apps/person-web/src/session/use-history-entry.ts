import { useEffect, useRef } from 'react';

/** Every screen has its entry in the browser's history, so that the way back does not lead off the page; the state decides what it shows. */
export function useHistoryEntry(screen: string): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (last.current !== null && last.current !== screen) history.pushState({ screen }, '');
    last.current = screen;
  }, [screen]);
}
