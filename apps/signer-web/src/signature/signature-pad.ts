// Loaded when somebody chooses to draw.
import SignaturePad from 'signature_pad';
import { type Drawing, trimmed } from './drawing.ts';

/** Of the PNG, in bytes; the service takes 200 KB. */
const LARGEST = 190_000;
const INK = '#14213d';

/** A pad on a canvas that is sharp on this screen. `onStroke` is called when a stroke has ended. */
export function padOn(canvas: HTMLCanvasElement, onStroke: () => void): SignaturePad {
  const pad = new SignaturePad(canvas, { penColor: INK, minWidth: 0.9, maxWidth: 2.6 });
  pad.addEventListener('endStroke', onStroke);
  return pad;
}

/** Gives the canvas the pixels of the screen for its size in the layout, which empties it. */
export function sharpen(canvas: HTMLCanvasElement): void {
  const ratio = Math.max(1, devicePixelRatio);
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  canvas.getContext('2d')?.scale(ratio, ratio);
}

/** The drawing alone, as a PNG on nothing (data URL), as large as the service takes it. */
export function pngOf(drawing: Drawing): string {
  for (const scale of [3, 2, 1.5, 1]) {
    const image = drawn(drawing, scale);
    if (image.length * 0.75 <= LARGEST) return image;
  }
  return drawn(drawing, 0.5);
}

function drawn(drawing: Drawing, scale: number): string {
  const { strokes, width, height } = trimmed(drawing, scale, 4 * scale);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  new SignaturePad(canvas).fromData(strokes);
  return canvas.toDataURL('image/png');
}
