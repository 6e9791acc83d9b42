import type { CaptureState } from '@constancia/contracts/capture';
import { useCallback, useEffect, useState } from 'react';
import { type Outcome, useSession } from './session.tsx';

export interface Sending {
  busy: boolean;
  /** The last request had no answer: `again` sends the same one, and so does the page by itself when the connection comes back. */
  lost: boolean;
  /** The status that the last request was refused with. */
  refused: number | null;
  send: (request: () => Promise<CaptureState | void>) => Promise<Outcome>;
  again: () => void;
  /** Leaves the step out. */
  skip: () => void;
}

/** Requests of one screen, one at a time; the one that had no answer is kept in memory, pictures and all, until it has one. */
export function useSending(): Sending {
  const { api, attempt } = useSession();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<number | null>(null);
  const [unanswered, setUnanswered] = useState<{ request: () => Promise<CaptureState | void> } | null>(null);

  const send = useCallback(
    async (request: () => Promise<CaptureState | void>): Promise<Outcome> => {
      setBusy(true);
      setRefused(null);
      const outcome = await attempt(request);
      setUnanswered(outcome === 'unreachable' ? { request } : null);
      if (typeof outcome === 'object') setRefused(outcome.refused);
      setBusy(false);
      return outcome;
    },
    [attempt],
  );
  const again = useCallback(() => {
    if (unanswered !== null) void send(unanswered.request);
  }, [send, unanswered]);
  const skip = useCallback(() => {
    const key = crypto.randomUUID();
    void send(() => api.advance({ skip: true }, key));
  }, [api, send]);
  useEffect(() => {
    if (unanswered === null) return undefined;
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [unanswered, again]);
  return { busy, lost: unanswered !== null, refused, send, again, skip };
}
