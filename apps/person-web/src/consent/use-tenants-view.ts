import { EMBED_STATE, type EmbedState } from '@constancia/contracts/embed';
import { type FrameEnd, sendJson } from '@constancia/web';
import { useCallback, useEffect, useState } from 'react';
import { failureOf, Refused } from '../api/capture-api.ts';

/** At even intervals: an answer that nobody is told of must not change when the page around the frame learns of the end. */
const ASK_EVERY_MS = 5_000;

const ENDS: Partial<Record<EmbedState, FrameEnd>> = {
  completed: 'completed',
  failed: 'failed',
  expired: 'expired',
  revoked: 'expired',
};

interface TenantsView {
  /** How the request ended, as the tenant sees it; null: it has not. */
  end: FrameEnd | null;
  ask: () => void;
  /** The frame can do nothing any more. */
  lose: () => void;
}

/** How the request of an embed session stands for the tenant. */
export function useTenantsView(base: string, token: string): TenantsView {
  const [end, setEnd] = useState<FrameEnd | null>(null);
  const lose = useCallback(() => setEnd((known) => known ?? 'expired'), []);
  const ask = useCallback((): void => {
    const headers = { authorization: `Bearer ${token}` };
    sendJson<{ state: EmbedState }>(`${base}${EMBED_STATE}`, { method: 'GET', headers, errorOf: failureOf }).then(
      ({ answer: { state } }) => setEnd((known) => known ?? ENDS[state] ?? null),
      (error: unknown) => {
        if (error instanceof Refused && error.status === 404) lose();
      },
    );
  }, [base, token, lose]);
  useEffect(() => {
    if (end !== null) return undefined;
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [end, ask]);
  return { end, ask, lose };
}
