/** A frame of the camera in 8-bit grey, rows from the top, without padding. */
export interface GreyFrame {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A place in a frame, in pixels. */
export interface Point {
  x: number;
  y: number;
}

export const pixel = ({ data, width }: GreyFrame, x: number, y: number): number => data[y * width + x] as number;

/** From the four bytes per pixel of a canvas. */
export function greyFromRgba(rgba: Uint8ClampedArray, width: number, height: number): GreyFrame {
  const data = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < data.length; at++, from += 4)
    data[at] = ((rgba[from] as number) * 77 + (rgba[from + 1] as number) * 151 + (rgba[from + 2] as number) * 28) >> 8;
  return { width, height, data };
}

/** Half the size in both directions, each pixel the mean of four. */
export function halved({ width, height, data }: GreyFrame): GreyFrame {
  const [w, h] = [width >> 1, height >> 1];
  const half = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    const above = 2 * y * width;
    for (let x = 0; x < w; x++) {
      const at = above + 2 * x;
      const sum =
        (data[at] as number) +
        (data[at + 1] as number) +
        (data[at + width] as number) +
        (data[at + width + 1] as number);
      half[y * w + x] = (sum + 2) >> 2;
    }
  }
  return { width: w, height: h, data: half };
}
