import { useEffect, useRef } from 'react';
import { callConsole } from '../api/console-host.ts';

/** Far less often than a session ends that nobody uses. */
const EVERY_MS = 5 * 60_000;
const SIGNS_OF_USE = ['keydown', 'pointerdown', 'input'] as const;

/**
 * While somebody works on what is not saved yet, which may send nothing for long, the session goes on. On a page that nobody uses it
 * ends as ever.
 */
export function useKeepSession(hasUnsaved: boolean): void {
  const renewedAt = useRef(0);
  useEffect(() => {
    if (!hasUnsaved) return;
    const renew = (): void => {
      if (Date.now() - renewedAt.current < EVERY_MS) return;
      renewedAt.current = Date.now();
      void callConsole('GET', '').catch(() => undefined); // the next request that matters says what is wrong
    };
    // While they go down: a graph takes the keys that it knows.
    SIGNS_OF_USE.forEach((sign) => document.addEventListener(sign, renew, true));
    return () => SIGNS_OF_USE.forEach((sign) => document.removeEventListener(sign, renew, true));
  }, [hasUnsaved]);
}
