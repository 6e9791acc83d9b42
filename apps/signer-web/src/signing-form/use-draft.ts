import { useEffect, useRef } from 'react';
import { useJourney } from '../journey/journey.tsx';

/** After the last stroke. */
const KEEP_AFTER_MS = 700;

/** Keeps what was entered with the service: a moment after the last change, and at once when the page is left. */
export function useDraft(values: Record<string, string | boolean>): void {
  const { api } = useJourney();
  const text = JSON.stringify(values);
  const kept = useRef(text); // what the reader begins with is known already
  useEffect(() => {
    const keep = (): void => {
      if (text === kept.current) return;
      kept.current = text;
      api.keepDraft(JSON.parse(text) as typeof values).catch(() => {
        if (kept.current === text) kept.current = ''; // leaving, or the next change, tries again
      });
    };
    const timer = setTimeout(keep, KEEP_AFTER_MS);
    window.addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', keep);
    };
  }, [api, text]);
}
