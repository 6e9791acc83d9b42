import { useCallback, useEffect, useState } from 'react';
import type { Stretch } from '../journey/steps.ts';

/** Where the reader is between reading and signing. The browser's way back leads to the stretch before, not off the page. */
export function useStretch(): [Stretch, (next: Stretch) => void] {
  const [stretch, setStretch] = useState<Stretch>(() => stretchIn(history.state)); // after a reload: where one was
  useEffect(() => {
    const back = (event: PopStateEvent): void => setStretch(stretchIn(event.state));
    window.addEventListener('popstate', back);
    return () => window.removeEventListener('popstate', back);
  }, []);
  const go = useCallback((next: Stretch) => {
    history.pushState({ stretch: next }, '');
    setStretch(next);
  }, []);
  return [stretch, go];
}

function stretchIn(state: unknown): Stretch {
  const found = (state as { stretch?: unknown } | null)?.stretch;
  return found === 'fill' || found === 'sign' ? found : 'read';
}
