import { useState } from 'react';

/** Runs what a button does, one at a time: which one is running, and why the last one failed. */
export function useAction() {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async (name: string, action: () => Promise<void>): Promise<void> => {
    if (busy !== null) return;
    setBusy(name);
    setError(null);
    try {
      await action();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };
  const clear = (): void => setError(null);
  return { busy, error, run, clear };
}
