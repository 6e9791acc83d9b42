import { type RefObject, useEffect, useRef, useState } from 'react';
import type { CameraFrameMessage, GuideView, PixelsMessage } from '../guidance/guide.worker.ts';
import { middleOf, type Shape, SHAPES } from './picture.ts';

/** The shortest time between two frames that are analysed: in less time a moving card hardly differs from one that is held still. */
const LEAST_MS = 50;

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
    const pixels = new FramePixels(shape);
    let request = 0;
    let ended = false;
    let asked = false;
    let lookedAt = -Infinity;
    let draws = false;

    const look = (now: number): void => {
      const element = video.current;
      if (element === null || element.readyState < 2 || element.videoWidth === 0 || now - lookedAt < LEAST_MS)
        return wait();
      lookedAt = now;
      const wanted = { shape, ...SHAPES[shape], atMs: performance.now() };
      const frame = draws ? null : frameOf(element);
      const drawn = frame === null ? pixels.of(element) : null;
      try {
        if (frame !== null) {
          const part = middleOf(element, shape);
          worker.postMessage({ ...wanted, frame, part } satisfies CameraFrameMessage, [frame]);
        } else if (drawn !== null) {
          worker.postMessage({ ...wanted, pixels: drawn } satisfies PixelsMessage, [drawn]);
        }
        asked = frame !== null || drawn !== null;
      } catch {
        frame?.close(); // a browser that cannot send it to a worker
        draws = true;
      }
      if (!asked) wait();
    };
    const wait = (): void => {
      if (!ended) request = requestAnimationFrame(look);
    };
    worker.onmessage = ({ data }: MessageEvent<GuideView | null>) => {
      asked = false;
      if (ended) return worker.terminate();
      if (data === null) {
        draws = true;
        return wait();
      }
      setView(data);
      if (data.advice === 'take') take.current();
      else wait();
    };
    wait();
    return () => {
      ended = true;
      cancelAnimationFrame(request);
      if (!asked) worker.terminate(); // otherwise after it has closed the frame that it holds
      pixels.forget();
      setView(null);
    };
  }, [video, shape, on]);
  return view;
}

/** What the camera shows now, without drawing it, which would keep the page from answering; null where browsers cannot give it. */
function frameOf(video: HTMLVideoElement): VideoFrame | null {
  if (typeof VideoFrame === 'undefined') return null;
  try {
    return new VideoFrame(video);
  } catch {
    return null;
  }
}

/** The middle of a video in pixels, for browsers that do not give its frames. */
class FramePixels {
  private canvas: HTMLCanvasElement | undefined;

  constructor(private readonly shape: Shape) {}

  of(video: HTMLVideoElement): ArrayBuffer | null {
    const { width, height } = SHAPES[this.shape];
    this.canvas ??= Object.assign(document.createElement('canvas'), { width, height });
    const context = this.canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) return null;
    const { x, y, width: w, height: h } = middleOf(video, this.shape);
    context.drawImage(video, x, y, w, h, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data.buffer;
  }

  forget(): void {
    if (this.canvas !== undefined) [this.canvas.width, this.canvas.height] = [0, 0];
  }
}
