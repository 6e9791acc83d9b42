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

/** Announces to the page that holds the frame how far the person is: the names of steps, and that it is over. */
export function Progress(): null {
  const host = useHostPage();
  const { situation } = useSession();
  const state = situation.kind === 'known' ? situation.state : null;
  const end = state === null ? undefined : ENDS[state.status];
  const step = state?.step ?? null;
  const announced = useRef<string | null>(null);
  useEffect(() => {
    const announce = (what: string, send: () => void): void => {
      if (announced.current === what) return;
      announced.current = what;
      send();
    };
    if (situation.kind === 'unknown') announce('expired', () => host?.send('expired', {}));
    else if (end !== undefined) announce(end, () => host?.send(end, {}));
    else if (step !== null) announce(`step ${step}`, () => host?.send('step', { step }));
  }, [host, situation.kind, end, step]);

  useEffect(() => {
    host?.send('ready', {});
    const observer = new ResizeObserver(() => host?.send('resized', { height: document.body.scrollHeight }));
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [host]);
  return null;
}
