import { callConsole } from '../api/console-host.ts';
import { useOnUse } from './use-on-use.ts';

/** Far less often than a session ends that nobody uses. */
const EVERY_MS = 5 * 60_000;

/**
 * While somebody works on what is not saved yet, which may send nothing for long, the session goes on. On a page that nobody uses it
 * ends as ever.
 */
export function useKeepSession(hasUnsaved: boolean): void {
  // The next request that matters says what is wrong.
  useOnUse(() => void callConsole('GET', '').catch(() => undefined), EVERY_MS, hasUnsaved);
}
