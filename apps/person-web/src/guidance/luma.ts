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
  const [rows, columns] = [coverOf(high, height), coverOf(wide, width)];
  const band = new Float64Array(wide); // the means of the lines that a row of the frame covers
  for (let y = 0; y < height; y++) {
    const [first, last] = [rows.first[y] as number, rows.last[y] as number];
    for (let line = first; line <= last; line++) {
      const share = gain * shareOf(rows, y, line);
      const start = offset + (top + line) * stride + left;
      if (line === first) for (let x = 0; x < wide; x++) band[x] = share * (data[start + x] as number);
      else for (let x = 0; x < wide; x++) band[x] = (band[x] as number) + share * (data[start + x] as number);
    }
    for (let x = 0; x < width; x++) {
      const [from, to] = [columns.first[x] as number, columns.last[x] as number];
      let sum = (columns.head[x] as number) * (band[from] as number);
      for (let at = from + 1; at < to; at++) sum += columns.whole * (band[at] as number);
      if (to > from) sum += (columns.tail[x] as number) * (band[to] as number);
      small[y * width + x] = sum - black * gain;
    }
  }
  return { width, height, data: new Uint8Array(small.buffer) };
}

/** What each of a smaller number of pixels covers, along one side: from which pixel to which, and what share of it those are. */
interface Cover {
  first: Int32Array;
  last: Int32Array;
  /** Of the first, of each in between, and of the last where it is another. */
  head: Float64Array;
  whole: number;
  tail: Float64Array;
}

function coverOf(size: number, count: number): Cover {
  const step = size / count;
  const [first, last] = [new Int32Array(count), new Int32Array(count)];
  const [head, tail] = [new Float64Array(count), new Float64Array(count)];
  for (let nth = 0; nth < count; nth++) {
    const [from, to] = [nth * step, Math.min((nth + 1) * step, size)];
    const begin = Math.floor(from);
    const end = Math.max(begin, Math.ceil(to) - 1);
    first[nth] = begin;
    last[nth] = end;
    head[nth] = (Math.min(begin + 1, to) - from) / step;
    tail[nth] = end > begin ? (to - end) / step : 0;
  }
  return { first, last, head, whole: 1 / step, tail };
}

function shareOf({ first, last, head, whole, tail }: Cover, nth: number, pixel: number): number {
  if (pixel === first[nth]) return head[nth] as number;
  return pixel === last[nth] ? (tail[nth] as number) : whole;
}
