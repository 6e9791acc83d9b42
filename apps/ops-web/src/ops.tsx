import type { OpsRequest } from '@constancia/operations';
import { useAnnounce, type Values } from '@constancia/web';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { AskDialog, type Question } from './parts/ask-dialog.tsx';
import { Failure } from './parts/failure.tsx';
import type { OpsSession } from './session.ts';

/** How often a view refreshes itself. */
const REFRESH_MS = 10_000;

/** What every view works with. */
interface Ops {
  session: OpsSession;
  /** Rises when what is shown should be loaded again. */
  version: number;
  reload: () => void;
  /** Asks in a dialog; null when it was left. */
  ask: (question: Question) => Promise<Values | null>;
  /** Does what a button asks for. A failure is shown above the view. */
  attempt: (work: () => Promise<void>) => void;
}

const OpsContext = createContext<Ops | null>(null);

/** What is asked in the dialog, and who waits for the answer. */
interface OpenQuestion {
  question: Question;
  answer: (values: Values | null) => void;
}

/** @param place where the reader is: what was said about another place is not shown here */
export function OpsProvider({ session, place, children }: { session: OpsSession; place: string; children: ReactNode }) {
  const announce = useAnnounce();
  const [version, setVersion] = useState(0);
  const [open, setOpen] = useState<OpenQuestion | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const reload = useCallback(() => setVersion((last) => last + 1), []);
  useEffect(() => {
    setFailure(null);
    announce('');
  }, [place, announce]);
  const ask = useCallback(
    (question: Question) => new Promise<Values | null>((answer) => setOpen({ question, answer })),
    [],
  );
  const attempt = useCallback((work: () => Promise<void>) => {
    setFailure(null);
    work().catch(setFailure);
  }, []);
  const ops = useMemo(() => ({ session, version, reload, ask, attempt }), [session, version, reload, ask, attempt]);
  const onAnswer = (values: Values | null): void => {
    open?.answer(values);
    setOpen(null);
  };
  return (
    <OpsContext value={ops}>
      {failure !== null && <Failure error={failure} />}
      {children}
      {open !== null && <AskDialog question={open.question} onAnswer={onAnswer} />}
    </OpsContext>
  );
}

export function useOps(): Ops {
  const ops = useContext(OpsContext);
  if (ops === null) throw new Error('no session around this component');
  return ops;
}

/** The newest answer to a request; of an earlier one for the same path while the next is on its way. */
export function useAnswer<Answer>(request: OpsRequest<Answer>): { path: string; answer?: Answer; error?: unknown } {
  const { session, version } = useOps();
  const { path } = request;
  const key = JSON.stringify([path, request.query]);
  const [latest, setLatest] = useState<{ path: string; answer?: Answer; error?: unknown }>({ path });
  const [refreshes, setRefreshes] = useState(0);
  const requests = useRef({ key, sent: 0, shown: 0, pending: 0 });
  useEffect(() => {
    const timer = setInterval(() => {
      // What is selected would be lost while it is copied.
      if (document.hidden || getSelection()?.isCollapsed === false) return;
      // A slow process is asked again only when it has answered.
      if (requests.current.pending === 0) setRefreshes((last) => last + 1);
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    const all = requests.current;
    all.key = key;
    const sent = ++all.sent;
    all.pending++;
    const show = (outcome: { answer: Answer } | { error: unknown }): void => {
      all.pending--;
      // However late, an answer is shown unless something else is asked by now, or a newer one was faster.
      if (all.key !== key || sent < all.shown) return;
      all.shown = sent;
      setLatest({ path, ...outcome });
    };
    session.send(request).then(
      (answer) => show({ answer }),
      (error: unknown) => show({ error }),
    );
    // `key` stands for the request, which is made again for every drawing
  }, [session, version, refreshes, key]);
  return latest.path === path ? latest : { path };
}
