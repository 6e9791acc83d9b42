import { type RefObject, useEffect, useRef, useState } from 'react';
import type { FrameMessage, GuideView } from '../guidance/guide.worker.ts';
import { middleOf, type Shape, SHAPES } from './picture.ts';

/** Looks at the video frame by frame, one at a time, in a worker; null while nothing was looked at, or when there is no worker. */
export function useGuidance(
  video: RefObject<HTMLVideoElement | null>,
  shape: Shape,
  on: boolean,
  onTake: () => void,
): GuideView | null {
  const [view, setView] = useState<GuideView | null>(null);
  const take = useRef(onTake);
  take.current = onTake;

  useEffect(() => {
    if (!on) return undefined;
    const worker = new Worker(new URL('../guidance/guide.worker.ts', import.meta.url), { type: 'module' });
    const { width, height } = SHAPES[shape];
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    let frame = 0;
    let ended = false;

    const look = (): void => {
      const element = video.current;
      if (element === null || context === null || element.readyState < 2 || element.videoWidth === 0) return wait();
      const { x, y, width: w, height: h } = middleOf(element, shape);
      context.drawImage(element, x, y, w, h, 0, 0, width, height);
      const pixels = context.getImageData(0, 0, width, height).data.buffer;
      const message: FrameMessage = { shape, width, height, pixels, atMs: performance.now() };
      worker.postMessage(message, [pixels]);
    };
    const wait = (): void => {
      if (!ended) frame = requestAnimationFrame(look);
    };
    worker.onmessage = ({ data }: MessageEvent<GuideView>) => {
      if (ended) return;
      setView(data);
      if (data.advice === 'take') take.current();
      else wait();
    };
    wait();
    return () => {
      ended = true;
      cancelAnimationFrame(frame);
      worker.terminate();
      [canvas.width, canvas.height] = [0, 0];
      setView(null);
    };
  }, [video, shape, on]);
  return view;
}
