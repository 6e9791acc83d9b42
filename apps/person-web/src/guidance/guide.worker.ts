import { DocumentGuide, type DocumentView } from './document-guide.ts';
import { FaceGuide, type FaceView } from './face-guide.ts';
import { type GreyFrame, greyFromRgba } from './grey-frame.ts';
import { type Part, shrunk } from './luma.ts';

interface Wanted {
  shape: 'card' | 'face';
  width: number;
  height: number;
  atMs: number;
}
/** The middle of a frame of the camera. */
export interface CameraFrameMessage extends Wanted {
  frame: VideoFrame;
  part: Part;
}
/** The same as the page has drawn it, four bytes per pixel. */
export interface PixelsMessage extends Wanted {
  pixels: ArrayBuffer;
}
export type GuideView = DocumentView | FaceView;

/** Formats that begin with a plane of grey, a byte for each pixel. */
const GREY_FIRST = ['I420', 'I420A', 'I422', 'I422A', 'I444', 'I444A', 'NV12'];

const guides = { card: new DocumentGuide(), face: new FaceGuide() };
let plane = new Uint8Array(0);
let canvas: OffscreenCanvas | undefined;

/** Answers with what there is to see; null: frames cannot be read here, and the page has to draw them. */
self.onmessage = ({ data }: MessageEvent<CameraFrameMessage | PixelsMessage>): void => {
  const { shape, width, height, atMs } = data;
  const answer = (grey: GreyFrame): void => self.postMessage(guides[shape].look(grey, atMs));
  if ('pixels' in data) answer(greyFromRgba(new Uint8ClampedArray(data.pixels), width, height));
  else
    greyOf(data)
      .then(answer)
      .catch(() => self.postMessage(null));
};

async function greyOf(message: CameraFrameMessage): Promise<GreyFrame> {
  try {
    const copied = hasGrey(message) ? await copiedGrey(message).catch(() => null) : null;
    return copied ?? drawnGrey(message);
  } finally {
    message.frame.close();
  }
}

/** Whether the grey can be taken out as it lies there: upright, and not to be enlarged. */
function hasGrey({ frame, part, width, height }: CameraFrameMessage): boolean {
  const { format, visibleRect, displayWidth, displayHeight } = frame;
  if (format === null || !GREY_FIRST.includes(format) || part.width < width || part.height < height) return false;
  if (Math.floor(part.x + part.width) > displayWidth || Math.floor(part.y + part.height) > displayHeight) return false;
  const turned = (frame as { rotation?: number }).rotation ?? 0;
  return turned === 0 && visibleRect?.width === displayWidth && visibleRect.height === displayHeight;
}

/** Many times cheaper than drawing a frame where no graphics processor draws it. */
async function copiedGrey({ frame, part, width, height }: CameraFrameMessage): Promise<GreyFrame> {
  const size = frame.allocationSize();
  if (plane.length < size) plane = new Uint8Array(size);
  const [{ offset, stride }] = (await frame.copyTo(plane)) as [PlaneLayout];
  return shrunk({ data: plane, offset, stride, fullRange: frame.colorSpace.fullRange === true }, part, width, height);
}

function drawnGrey({ frame, part, width, height }: CameraFrameMessage): GreyFrame {
  if (canvas?.width !== width || canvas.height !== height) canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  context.drawImage(frame, part.x, part.y, part.width, part.height, 0, 0, width, height);
  return greyFromRgba(context.getImageData(0, 0, width, height).data, width, height);
}
