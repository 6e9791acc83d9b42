import { useEffect, useRef } from 'react';
import { useHostPage } from './host-context.ts';

/** How it ended for the person. */
export type FrameEnd = 'completed' | 'failed' | 'expired';

/** How far the person is: the name of the step that is due, and how it ended. */
export interface FrameNewsProps {
  step: string | null;
  end: FrameEnd | null;
  /** CSS pixels of the frame, whatever it shows; left out: as high as the content. */
  height?: number;
}

/** Announces to the page that holds the frame how far the person is, and how high the content is. Announces nothing outside of a frame. */
export function FrameNews({ step, end, height }: FrameNewsProps): null {
  const host = useHostPage();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (host === null) return undefined;
    host.send('ready', {});
    if (height !== undefined) {
      host.send('resized', { height });
      return undefined;
    }
    const observer = new ResizeObserver(() => host.send('resized', { height: document.body.scrollHeight }));
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [host, height]);

  useEffect(() => {
    const what = end ?? (step === null ? null : `step ${step}`);
    if (what === null || announced.current === what) return;
    announced.current = what;
    if (end !== null) host?.send(end, {});
    else if (step !== null) host?.send('step', { step });
  }, [host, end, step]);
  return null;
}
