import { DocumentGuide, type DocumentView } from './document-guide.ts';
import { FaceGuide, type FaceView } from './face-guide.ts';
import { greyFromRgba } from './grey-frame.ts';

/** A frame of the camera, four bytes per pixel. */
export interface FrameMessage {
  shape: 'card' | 'face';
  width: number;
  height: number;
  pixels: ArrayBuffer;
  atMs: number;
}
export type GuideView = DocumentView | FaceView;

const guides = { card: new DocumentGuide(), face: new FaceGuide() };

self.onmessage = ({ data }: MessageEvent<FrameMessage>): void => {
  const { shape, width, height, pixels, atMs } = data;
  self.postMessage(guides[shape].look(greyFromRgba(new Uint8ClampedArray(pixels), width, height), atMs));
};
