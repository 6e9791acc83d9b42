import type { CaptureState } from '@constancia/contracts/capture';
import { Unreachable, useLanguageOf } from '@constancia/web';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type CaptureApi, Refused } from '../api/capture-api.ts';

/** What the page knows of its session. unknown: the link leads nowhere, or nowhere any more. suspended: the tenant is suspended. */
export type Situation =
  { kind: 'loading' | 'unknown' | 'unreachable' | 'refused' | 'suspended' } | { kind: 'known'; state: CaptureState };

/** What became of a request: done, no answer (send the same again), or refused (the state was read again). */
export type Outcome = 'done' | 'unreachable' | { refused: number };

interface Session {
  api: CaptureApi;
  situation: Situation;
  load: () => Promise<void>;
  /** Carries out a request; what it answers is the session's state from now on. */
  attempt: (request: () => Promise<CaptureState | void>) => Promise<Outcome>;
}

const SessionContext = createContext<Session | null>(null);

/** How often the state is asked for while somebody else has to act: the server, or another device. */
const ASK_AGAIN_MS = 2_000;

/** The state is the server's: it is read when the page opens, comes back to the front or goes back, and after every refusal. */
export function SessionProvider({ api, children }: { api: CaptureApi; children: ReactNode }) {
  const [situation, setSituation] = useState<Situation>({ kind: 'loading' });
  const { suggest } = useLanguageOf();
  const loading = useRef(false);

  const show = useCallback(
    (state: CaptureState) => {
      suggest(state.locale);
      setSituation({ kind: 'known', state });
    },
    [suggest],
  );

  const load = useCallback(async () => {
    if (loading.current) return;
    loading.current = true;
    try {
      const state = await api.state();
      show(state.device === 'unopened' ? await api.claim() : state);
    } catch (error) {
      setSituation((before) => situationAfter(error, before));
    } finally {
      loading.current = false;
    }
  }, [api, show]);

  const attempt = useCallback(
    async (request: () => Promise<CaptureState | void>): Promise<Outcome> => {
      try {
        const state = await request();
        if (state) show(state);
        return 'done';
      } catch (error) {
        if (error instanceof Refused) {
          await load();
          return { refused: error.status };
        }
        if (error instanceof Unreachable || error instanceof TypeError) return 'unreachable';
        throw error;
      }
    },
    [load, show],
  );

  useEffect(() => {
    void load();
    const again = (): void => {
      if (document.visibilityState === 'visible') void load();
    };
    for (const event of ['popstate', 'online', 'pageshow', 'hashchange']) window.addEventListener(event, again);
    document.addEventListener('visibilitychange', again);
    return () => {
      for (const event of ['popstate', 'online', 'pageshow', 'hashchange']) window.removeEventListener(event, again);
      document.removeEventListener('visibilitychange', again);
    };
  }, [load]);

  const waits = isWaiting(situation);
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => void load(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [waits, load]);

  const session = useMemo(() => ({ api, situation, load, attempt }), [api, situation, load, attempt]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Without an answer, what was known is still shown: whatever is asked of the server next says that it does not answer. */
function situationAfter(error: unknown, before: Situation): Situation {
  if (error instanceof Refused) {
    if (error.suspended) return { kind: 'suspended' };
    return { kind: error.status === 429 || error.status === 403 ? 'refused' : 'unknown' };
  }
  return before.kind === 'known' ? before : { kind: 'unreachable' };
}

function isWaiting(situation: Situation): boolean {
  if (situation.kind !== 'known') return false;
  const { status, device, reuse } = situation.state;
  return status === 'processing' || device === 'waiting' || reuse?.status === 'asked';
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session around this component');
  return session;
}
