import { useState } from 'react';
import { Refused } from '../api/capture-api.ts';

export interface Requests {
  /** The name of the request that is under way. */
  busy: string | null;
  /** What the last one failed with. */
  error: unknown;
  /** That the session has ended goes to `onEnded`; any other failure is kept in `error`. */
  run: (name: string, work: () => Promise<void>) => Promise<void>;
}

/** Requests of one part of the page, one at a time. */
export function useRequest(onEnded?: () => void): Requests {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (busy !== null) return;
    setBusy(name);
    setError(null);
    try {
      await work();
    } catch (failure) {
      if (onEnded !== undefined && isEnded(failure)) return onEnded();
      setError(failure);
    }
    setBusy(null);
  };
  return { busy, error, run };
}

/** Of a request with the token of a session. */
const isEnded = (error: unknown): boolean => error instanceof Refused && error.status === 401;
