import { useState } from 'react';

/** Runs what a button does, one at a time: which one is running, and why the last one failed on this page. */
export function useAction() {
  const [busy, setBusy] = useState<string | null>(null);
  const [failed, setFailed] = useState<{ path: string; error: unknown } | null>(null);
  const run = async (name: string, action: () => Promise<void>): Promise<void> => {
    if (busy !== null) return;
    const path = location.pathname;
    setBusy(name);
    setFailed(null);
    try {
      await action();
    } catch (failure) {
      setFailed({ path, error: failure });
    } finally {
      setBusy(null);
    }
  };
  const clear = (): void => setFailed(null);
  const error = failed !== null && failed.path === location.pathname ? failed.error : null;
  return { busy, error, run, clear };
}
