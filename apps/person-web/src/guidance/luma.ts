import type { GreyFrame } from './grey-frame.ts';

/** A part of a picture, in its pixels. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A byte of grey for each pixel; rows begin `stride` bytes apart. */
export interface Luma {
  data: Uint8Array;
  offset: number;
  stride: number;
  /** Whether black is 0 and white 255; else 16 and 235, as in most videos. */
  fullRange: boolean;
}

/** A part as a frame that is not larger: each pixel is the mean of what it covers. */
export function shrunk(
  { data, offset, stride, fullRange }: Luma,
  part: Part,
  width: number,
  height: number,
): GreyFrame {
  const [left, top, wide, high] = [part.x, part.y, part.width, part.height].map(Math.round) as [number, number, number, number]; // prettier-ignore
  const small = new Uint8ClampedArray(width * height);
  const [black, gain] = fullRange ? [0, 1] : [16, 255 / 219];
  const [across, down] = [wide / width, high / height];
  const band = new Float64Array(wide + 1); // the means of the lines that a row of the frame covers
  for (let y = 0; y < height; y++) {
    band.fill(0);
    const [from, to] = [y * down, Math.min((y + 1) * down, high)];
    for (let line = Math.floor(from); line < to; line++) {
      const share = (Math.min(line + 1, to) - Math.max(line, from)) / down;
      const start = offset + (top + line) * stride + left;
      for (let x = 0; x < wide; x++) band[x] = (band[x] as number) + share * (data[start + x] as number);
    }
    let [at, sum, taken] = [0, 0, 0];
    for (let x = 0; x < width; x++) {
      const end = (x + 1) * across;
      while (at + 1 <= end) sum += band[at++] as number;
      const upToEnd = sum + (end - at) * (band[at] as number);
      small[y * width + x] = ((upToEnd - taken) / across - black) * gain;
      taken = upToEnd;
    }
  }
  return { width, height, data: new Uint8Array(small.buffer) };
}
