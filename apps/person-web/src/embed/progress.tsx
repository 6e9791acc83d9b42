import type { CaptureState } from '@constancia/contracts/capture';
import { useEffect, useRef } from 'react';
import { useSession } from '../session/session.tsx';
import { useHostPage } from './host-context.ts';

const ENDS: Partial<Record<CaptureState['status'], 'completed' | 'failed' | 'expired'>> = {
  completed: 'completed',
  manual_review: 'completed',
  failed: 'failed',
  expired: 'expired',
};

/** Tells the page that holds the frame how far the person is: the names of steps, and that it is over. */
export function Progress(): null {
  const host = useHostPage();
  const { situation } = useSession();
  const state = situation.kind === 'known' ? situation.state : null;
  const end = state === null ? undefined : ENDS[state.status];
  const step = state?.step ?? null;
  const said = useRef<string | null>(null);
  useEffect(() => {
    const say = (what: string, tell: () => void): void => {
      if (said.current === what) return;
      said.current = what;
      tell();
    };
    if (situation.kind === 'unknown') say('expired', () => host?.send('expired', {}));
    else if (end !== undefined) say(end, () => host?.send(end, {}));
    else if (step !== null) say(`step ${step}`, () => host?.send('step', { step }));
  }, [host, situation.kind, end, step]);

  useEffect(() => {
    host?.send('ready', {});
    const observer = new ResizeObserver(() => host?.send('resized', { height: document.body.scrollHeight }));
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [host]);
  return null;
}
