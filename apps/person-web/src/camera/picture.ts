import type { Part } from '../guidance/luma.ts';

/** Width to height of what is looked at, shown and sent: the middle of the camera's frame. */
export const SHAPES = { card: { width: 640, height: 480 }, face: { width: 480, height: 640 } } as const;
export type Shape = keyof typeof SHAPES;

const LONGEST_PX = 2_000;
const QUALITY = 0.92;

/** Where the middle of this shape lies in a video. */
export function middleOf(video: { videoWidth: number; videoHeight: number }, shape: Shape): Part {
  const { width, height } = SHAPES[shape];
  const scale = Math.min(video.videoWidth / width, video.videoHeight / height);
  const [w, h] = [width * scale, height * scale];
  return { x: (video.videoWidth - w) / 2, y: (video.videoHeight - h) / 2, width: w, height: h };
}

/** What the camera shows now, as sharp as it is. */
export function takePicture(video: HTMLVideoElement, shape: Shape): Promise<Blob> {
  const { x, y, width, height } = middleOf(video, shape);
  return draw(video, { x, y, width, height });
}

/** A file that the browser can show, as JPEG: without place and time, and no larger than it has to be. Rejects for any other file. */
export async function pictureIn(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  try {
    return await draw(bitmap, { x: 0, y: 0, width: bitmap.width, height: bitmap.height });
  } finally {
    bitmap.close();
  }
}

async function draw(source: CanvasImageSource, { x, y, width, height }: Part): Promise<Blob> {
  const scale = Math.min(1, LONGEST_PX / Math.max(width, height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext('2d')?.drawImage(source, x, y, width, height, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((drawn) => canvas.toBlob(drawn, 'image/jpeg', QUALITY));
  [canvas.width, canvas.height] = [0, 0]; // some browsers keep the pixels until the canvas is collected
  if (blob === null) throw new Error('the picture could not be drawn');
  return blob;
}
