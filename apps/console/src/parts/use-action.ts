import { useState } from 'react';

/** What a button does: which one is at work, and why the last one failed. */
export function useAction() {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async (name: string, action: () => Promise<void>): Promise<void> => {
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
  return { busy, error, run };
}
