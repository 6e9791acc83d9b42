import { useEffect, useRef } from 'react';

const SIGNS_OF_USE = ['keydown', 'pointerdown', 'pointermove', 'input'] as const;

/** Runs when somebody uses the page, at most so often: what a page does by itself would keep a session alive that nobody uses. */
export function useOnUse(run: () => void, everyMs: number, enabled = true): void {
  const ranAt = useRef(0);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!enabled) return;
    const use = (): void => {
      if (Date.now() - ranAt.current < everyMs) return;
      ranAt.current = Date.now();
      latest.current();
    };
    // While they go down: a graph takes the keys that it knows.
    SIGNS_OF_USE.forEach((sign) => document.addEventListener(sign, use, true));
    return () => SIGNS_OF_USE.forEach((sign) => document.removeEventListener(sign, use, true));
  }, [everyMs, enabled]);
}
