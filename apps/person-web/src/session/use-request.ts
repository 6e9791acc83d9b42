import { useState } from 'react';
import { Refused } from '../api/capture-api.ts';

export interface Requests {
  /** The name of the request that is under way. */
  busy: string | null;
  /** What the last one failed with. */
  error: unknown;
  /** That it is over goes to `onEnded`; any other failure is kept in `error`. */
  run: (name: string, work: () => Promise<void>) => Promise<void>;
}

/** Requests of one part of the page, one at a time. A failure that `isEnd` says is one goes to `onEnded`: left out, that of an ended session. */
export function useRequest(onEnded?: () => void, isEnd = isEnded): Requests {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (busy !== null) return;
    setBusy(name);
    setError(null);
    try {
      await work();
    } catch (failure) {
      if (onEnded !== undefined && isEnd(failure)) return onEnded();
      setError(failure);
    }
    setBusy(null);
  };
  return { busy, error, run };
}

/** Of a request with the token of a session. */
const isEnded = (error: unknown): boolean => error instanceof Refused && error.status === 401;
