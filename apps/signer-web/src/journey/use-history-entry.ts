import { useEffect, useRef } from 'react';
import type { Screen } from './steps.ts';

/**
 * Every screen has its entry in the browser's history, so that its way back does not lead off the page in the middle of signing. What was
 * done is done: an earlier entry shows the screen that is due now.
 * @param screen null: none is written
 */
export function useHistoryEntry(screen: Screen | null): void {
  const last = useRef<Screen | null>(null);
  useEffect(() => {
    if (screen === null) return;
    if (last.current !== null && last.current !== screen) history.pushState({ screen }, '');
    last.current = screen;
  }, [screen]);
}
