import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export type CameraFault = 'denied' | 'none' | 'busy';
export type Camera = { kind: 'opening' } | { kind: 'open' } | { kind: 'fault'; fault: CameraFault };

/** Opens the camera for the video while the component is shown, and releases it afterwards, also when the page goes to the back. */
export function useCamera(facing: 'environment' | 'user'): {
  video: RefObject<HTMLVideoElement | null>;
  camera: Camera;
  reopen: () => void;
} {
  const video = useRef<HTMLVideoElement | null>(null);
  const [camera, setCamera] = useState<Camera>({ kind: 'opening' });
  const [turn, setTurn] = useState(0);
  const reopen = useCallback(() => setTurn((last) => last + 1), []);

  useEffect(() => {
    let ended = false;
    let stream: MediaStream | null = null;
    setCamera({ kind: 'opening' });
    openStream(facing).then(
      (opened) => {
        stream = opened;
        if (ended || video.current === null) return release(opened);
        for (const track of opened.getTracks()) track.onended = () => setCamera({ kind: 'fault', fault: 'busy' });
        video.current.srcObject = opened;
        video.current.play().catch(() => undefined); // begins by itself when the page is in front again
        setCamera({ kind: 'open' });
      },
      (error: unknown) => {
        if (!ended) setCamera({ kind: 'fault', fault: faultOf(error) });
      },
    );
    const element = video.current;
    return () => {
      ended = true;
      if (element !== null) element.srcObject = null;
      if (stream !== null) release(stream);
    };
  }, [facing, turn]);

  useEffect(() => {
    const leave = (): void => {
      if (document.visibilityState === 'hidden') release(video.current?.srcObject as MediaStream | null);
      else reopen();
    };
    document.addEventListener('visibilitychange', leave);
    return () => document.removeEventListener('visibilitychange', leave);
  }, [reopen]);

  return { video, camera, reopen };
}

function openStream(facing: 'environment' | 'user'): Promise<MediaStream> {
  // Outside a secure context there is none.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) return Promise.reject(new DOMException('no camera', 'NotFoundError'));
  const wanted = { facingMode: { ideal: facing }, width: { ideal: 1920 }, height: { ideal: 1440 } };
  return devices.getUserMedia({ audio: false, video: wanted });
}

function release(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) {
    track.onended = null;
    track.stop();
  }
}

function faultOf(error: unknown): CameraFault {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy';
}
