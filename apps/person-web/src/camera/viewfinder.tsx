import { Button, useAnnounce } from '@constancia/web';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { GuideView } from '../guidance/guide.worker.ts';
import { OVAL } from '../guidance/face-guide.ts';
import { useText } from '../text/language.ts';
import { CameraFaultNotice } from './camera-fault.tsx';
import { type Shape, SHAPES } from './picture.ts';
import { useCamera } from './use-camera.ts';
import { useGuidance } from './use-guidance.ts';

interface ViewfinderProps {
  shape: Shape;
  /** What the camera should show, for who does not see it. */
  label: string;
  /** Takes what has to be taken, while the video is shown. */
  onTake: (video: HTMLVideoElement) => Promise<void>;
  /** Said instead of the guidance: what to do now. */
  instruction?: string;
  /** Not before this moment (performance.now) is a picture taken by itself. */
  notBefore?: number;
  /** Beside the shutter, and where there is no camera. */
  children?: ReactNode;
}

/** A word that changes with every frame helps nobody: it is shown once it has lasted this long. */
const SETTLED_MS = 500;

/** The camera, what to do before it in words, and the shutter, which is pressed by itself when all is well. */
export function Viewfinder({ shape, label, onTake, instruction, notBefore = 0, children }: ViewfinderProps) {
  const { text } = useText();
  const { video, camera, reopen } = useCamera(shape === 'card' ? 'environment' : 'user');
  const [taking, setTaking] = useState(false);
  const take = useCallback(() => {
    const element = video.current;
    if (element === null || element.videoWidth === 0) return;
    setTaking(true);
    void onTake(element).finally(() => setTaking(false));
  }, [onTake, video]);
  const early = useEarly(notBefore);
  const view = useGuidance(video, shape, camera.kind === 'open' && !taking && !early, take);
  const said = useSettledAdvice(view, shape);

  if (camera.kind === 'fault')
    return (
      <CameraFaultNotice fault={camera.fault} onAgain={reopen}>
        {children}
      </CameraFaultNotice>
    );
  const { width, height } = SHAPES[shape];
  return (
    <div className={`viewfinder ${shape}`}>
      <div className="glass">
        <video ref={video} playsInline muted aria-label={label} />
        <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className={view?.advice === 'hold' ? 'good' : ''}>
          {shape === 'card' ? <CardOutline view={view} /> : <Oval />}
          <rect className="steady" x="0" y={height - 10} height="10" width={width * (view?.steady ?? 0)} />
        </svg>
      </div>
      <p className="said" data-advice={view?.advice ?? ''}>
        {instruction ?? (taking ? text.camera.taking : (said ?? text.camera.opening))}
      </p>
      <div className="actions">
        <Button look="primary" onPress={take} busy={taking} waiting={camera.kind !== 'open'}>
          {text.camera.shutter}
        </Button>
        {children}
      </div>
    </div>
  );
}

function useEarly(notBefore: number): boolean {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setTimeout(() => setNow(performance.now()), Math.max(0, notBefore - performance.now()) + 20);
    return () => clearTimeout(timer);
  }, [notBefore]);
  return now < notBefore;
}

function useSettledAdvice(view: GuideView | null, shape: Shape): string | null {
  const { text } = useText();
  const announce = useAnnounce();
  const [settled, setSettled] = useState<string | null>(null);
  const advice = view === null ? null : view.advice === 'take' ? 'hold' : view.advice;
  const words = (shape === 'card' ? text.camera.card : text.camera.face) as Record<string, string>;
  const sentence = advice === null ? null : (words[advice] ?? null);
  useEffect(() => {
    if (sentence === null) return undefined;
    const timer = setTimeout(() => setSettled(sentence), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
  useEffect(() => {
    if (settled !== null) announce(settled);
  }, [settled, announce]);
  return settled;
}

function CardOutline({ view }: { view: GuideView | null }) {
  const { width, height } = SHAPES.card;
  const outline = view !== null && 'outline' in view ? view.outline : null;
  return outline === null ? (
    <rect className="frame" x="50" y="70" width="540" height="340" rx="18" />
  ) : (
    <polygon className="found" points={outline.map(({ x, y }) => `${x * width},${y * height}`).join(' ')} />
  );
}

function Oval() {
  const { width, height } = SHAPES.face;
  const [rx, ry] = [((OVAL.right - OVAL.left) * width) / 2, ((OVAL.bottom - OVAL.top) * height) / 2];
  return <ellipse className="frame" cx={OVAL.left * width + rx} cy={OVAL.top * height + ry} rx={rx} ry={ry} />;
}
