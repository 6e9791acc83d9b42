import type { PointGroup } from 'signature_pad';

/** Strokes as signature_pad keeps them, and the size of the pad they were drawn on, in pixels of the layout. */
export interface Drawing {
  strokes: PointGroup[];
  width: number;
  height: number;
}

/** Fits strokes into a pad of another size, as after turning the telephone: the same drawing, in the middle. */
export function fitted({ strokes, width, height }: Drawing, newWidth: number, newHeight: number): Drawing {
  const scale = Math.min(newWidth / width, newHeight / height);
  const left = (newWidth - width * scale) / 2;
  const top = (newHeight - height * scale) / 2;
  return {
    width: newWidth,
    height: newHeight,
    strokes: strokes.map((stroke) => ({
      ...stroke,
      ...thickness(stroke, scale),
      points: stroke.points.map(({ x, y, time, ...point }) => ({
        ...point,
        x: x * scale + left,
        y: y * scale + top,
        time: time * scale, // lines are thinner where the hand was fast: the speed must stay what it was
      })),
    })),
  };
}

/** Only the drawing: moved to the corner of a pad of its own size, `scale` times as large. `margin` in pixels of the new pad. */
export function trimmed({ strokes }: Drawing, scale: number, margin: number): Drawing {
  const points = strokes.flatMap((stroke) => stroke.points);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const left = smallest(xs);
  const top = smallest(ys);
  const place = (value: number, origin: number): number => (value - origin) * scale + margin;
  return {
    width: Math.ceil((-smallest(xs.map((x) => -x)) - left) * scale + 2 * margin),
    height: Math.ceil((-smallest(ys.map((y) => -y)) - top) * scale + 2 * margin),
    strokes: strokes.map((stroke) => ({
      ...stroke,
      ...thickness(stroke, scale),
      points: stroke.points.map(({ x, y, time, ...point }) => ({
        ...point,
        x: place(x, left),
        y: place(y, top),
        time: time * scale,
      })),
    })),
  };
}

/** Whether there is more than a dot or two: a slip of the finger is no signature. */
export const isDrawn = ({ strokes }: Drawing): boolean =>
  strokes.reduce((count, stroke) => count + stroke.points.length, 0) >= 5;

const thickness = (stroke: PointGroup, scale: number) => ({
  minWidth: stroke.minWidth * scale,
  maxWidth: stroke.maxWidth * scale,
  dotSize: stroke.dotSize * scale,
});

/** Of many numbers: Math.min takes no more arguments than the stack holds. */
const smallest = (values: number[]): number => values.reduce((least, value) => Math.min(least, value), Infinity);
