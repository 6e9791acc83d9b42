import { Unreachable, useAnnounce } from '@constancia/web';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { Refused } from '../api/failures.ts';
import type { SignerApi } from '../api/signer-api.ts';
import type { Locale, SignState } from '../api/sign-state.ts';
import { useLanguage } from '../text/language.ts';
import { ASK_AGAIN_MS, screenOf } from './steps.ts';

/** What the page knows of the envelope. */
export type Situation =
  | { kind: 'loading' }
  | { kind: 'unreachable' }
  | { kind: 'unknown' }
  | { kind: 'unavailable' }
  | { kind: 'not-me' }
  | { kind: 'crowded'; until: number }
  | { kind: 'known'; state: SignState };

/** What went wrong with the last thing the reader did, in a way every screen treats alike. */
export type RequestFailure = { kind: 'unreachable' } | { kind: 'changed' } | { kind: 'crowded'; until: number };

/** Other than signing: to decline, or to see the document afterwards. */
export type Wish = 'decline' | 'document';

interface Journey {
  api: SignerApi;
  situation: Situation;
  failure: RequestFailure | null;
  /** Whether the signature was given on this page, just now. */
  justSigned: boolean;
  /** What the reader wants to do other than sign, which needs their code first; null: nothing. */
  wish: Wish | null;
  setWish: (wish: Wish | null) => void;
  /** The link reached somebody else, who said so: it works no more. */
  leave: () => void;
  reload: () => Promise<void>;
  /**
   * Runs a request of a screen. An answer with a state replaces the present one; what every screen treats alike becomes the failure.
   * Resolves to the refusal when it is the screen's own affair (a wrong code, a field that was not accepted; `own`: more statuses of that
   * kind), else to null.
   */
  attempt: <T>(
    request: () => Promise<T>,
    onAnswer?: (answer: T) => void,
    own?: readonly number[],
  ) => Promise<Refused | null>;
}

const JourneyContext = createContext<Journey | null>(null);

/** Seconds to wait when the server asks for patience and does not say how much. */
const UNTOLD_WAIT_S = 30;
export const untilWaited = (refused: Refused): number => Date.now() + (refused.waitSeconds ?? UNTOLD_WAIT_S) * 1000;

interface JourneyProps {
  api: SignerApi;
  /** Asked for before anything was drawn, to save that time. */
  firstLook: Promise<SignState>;
  /** The answer to it, when it is there before anything is drawn. */
  firstState: SignState | null;
  /** The language that the page begins in; left out: the envelope's. */
  locale?: Locale | null;
  children: ReactNode;
}

export function JourneyProvider({ api, firstLook, firstState, locale = null, children }: JourneyProps) {
  const { chosen, suggest, text } = useLanguage();
  const announce = useAnnounce();
  const [situation, setSituation] = useState<Situation>(
    firstState === null ? { kind: 'loading' } : { kind: 'known', state: firstState },
  );
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const [justSigned, setJustSigned] = useState(false);
  const [wish, setWish] = useState<Wish | null>(null);
  const leave = useCallback(() => setSituation({ kind: 'not-me' }), []);
  const signed = situation.kind === 'known' && situation.state.signer.status === 'signed';
  const asked = useRef(0);
  const first = useRef<Promise<SignState> | null>(firstLook);

  const learn = useCallback(
    (state: SignState) => {
      suggest(locale ?? state.envelope.locale);
      setSituation((last) => (last.kind === 'known' && last.state === state ? last : { kind: 'known', state }));
    },
    [suggest, locale],
  );

  const reload = useCallback(async () => {
    const question = ++asked.current; // of two answers, the one to the later question counts
    const conclude = (next: Situation): void => {
      if (question === asked.current) setSituation(next);
    };
    // What the reader has before them, and may have filled in, stays when a second look fails.
    const concludeUnlessKnown = (next: Situation): void => {
      if (question === asked.current) setSituation((last) => (last.kind === 'known' ? last : next));
    };
    try {
      const look = first.current ?? api.state(chosen ?? locale);
      first.current = null;
      const state = await look;
      if (question === asked.current) learn(state);
    } catch (error) {
      if (error instanceof Refused && error.status === 429) {
        concludeUnlessKnown({ kind: 'crowded', until: untilWaited(error) });
      } else if (error instanceof Refused && error.suspended) conclude({ kind: 'unavailable' });
      else if (error instanceof Refused && error.status === 404) conclude({ kind: 'unknown' });
      else concludeUnlessKnown({ kind: 'unreachable' });
    }
  }, [api, chosen, locale, learn]);

  useEffect(() => void reload(), [reload]);
  useAskingAgain(situation, reload);

  const attempt = useCallback<Journey['attempt']>(
    async (request, onAnswer, own = []) => {
      try {
        const answer = await request();
        asked.current++; // an older look at the state must not overwrite this
        setFailure(null);
        onAnswer?.(answer);
        if (isState(answer)) {
          if (answer.signer.status === 'signed' && !signed) setJustSigned(true);
          learn(answer);
        }
        return null;
      } catch (error) {
        if (!(error instanceof Refused)) {
          setFailure({ kind: 'unreachable' });
          if (!(error instanceof Unreachable)) throw error;
          return null;
        }
        if (error.suspended) {
          setSituation({ kind: 'unavailable' });
          return null;
        }
        if (own.includes(error.status)) {
          setFailure(null);
          return error;
        }
        if (error.status === 404) setSituation({ kind: 'unknown' });
        else if (error.status === 429) setFailure({ kind: 'crowded', until: untilWaited(error) });
        else if (error.status === 409) {
          await reload();
          setFailure({ kind: 'changed' });
          announce(text.notices.changed);
        } else {
          setFailure(null);
          return error;
        }
        return null;
      }
    },
    [learn, reload, announce, text, signed],
  );

  const journey = useMemo<Journey>(
    () => ({ api, situation, failure, justSigned, wish, setWish, leave, reload, attempt }),
    [api, situation, failure, justSigned, wish, leave, reload, attempt],
  );
  return <JourneyContext value={journey}>{children}</JourneyContext>;
}

export function useJourney(): Journey {
  const journey = useContext(JourneyContext);
  if (journey === null) throw new Error('no journey around this component');
  return journey;
}

const isState = (answer: unknown): answer is SignState =>
  typeof answer === 'object' && answer !== null && 'envelope' in answer && 'next' in answer;

/** Looks again where something will happen without the reader: on others' turns, while sealing, when the connection is back. */
function useAskingAgain(situation: Situation, reload: () => Promise<void>): void {
  const everyMs =
    situation.kind === 'known'
      ? ASK_AGAIN_MS[screenOf(situation.state)]
      : situation.kind === 'unreachable'
        ? 15_000
        : undefined;
  const until = situation.kind === 'crowded' ? situation.until : null;
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void reload();
    };
    const timer =
      everyMs !== undefined
        ? setInterval(look, everyMs)
        : until !== null
          ? setInterval(() => Date.now() >= until && look(), 1000)
          : undefined;
    const back = (): void => {
      if (everyMs !== undefined) look();
    };
    window.addEventListener('online', back);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', back);
    };
  }, [everyMs, until, reload]);
}
