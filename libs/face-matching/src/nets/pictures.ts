import type { RgbImage } from '../image/rgb-image.ts';
import { LANES } from './kernel-forms.ts';
import type { Kernels } from './kernels.ts';
import { FLOAT_BYTES, lengthOf, type NetMemory, type Pictures } from './net-memory.ts';

/** RGB pictures of one size as floats, each value as `valueOf` says; a fourth channel is zero. */
export function filled(
  memory: NetMemory,
  images: readonly RgbImage[],
  valueOf: (value: number, channel: number) => number,
): Pictures {
  const [{ width, height }] = images as [RgbImage, ...RgbImage[]];
  const values = Float32Array.from({ length: 3 * 256 }, (_, at) => valueOf(at % 256, Math.floor(at / 256)));
  const x = memory.pictures(images.length, height, width, LANES);
  const { all } = memory;
  let to = x.at;
  for (const { data } of images)
    for (let from = 0; from < data.length; from += 3, to += LANES) {
      all[to] = values[data[from] as number] as number;
      all[to + 1] = values[256 + (data[from + 1] as number)] as number;
      all[to + 2] = values[512 + (data[from + 2] as number)] as number;
      all[to + 3] = 0;
    }
  return x;
}

/** How many zeros are added: rows, of which `top` are above; columns, of which `left` are before; channels, behind. */
export interface Growth {
  rows: number;
  columns: number;
  top?: number;
  left?: number;
  channels?: number;
}

/** The pictures with zeros around them; themselves where there is nothing to add. */
export function grown(memory: NetMemory, x: Pictures, growth: Growth): Pictures {
  const { rows, columns, top = 0, left = 0, channels: more = 0 } = growth;
  if (rows === 0 && columns === 0 && more === 0) return x;
  const { count, height, width, channels } = x;
  const larger = memory.pictures(count, height + rows, width + columns, channels + more);
  memory.all.fill(0, larger.at, larger.at + lengthOf(larger));
  const rowLength = larger.width * larger.channels;
  const [length, pieces, step] =
    more === 0 ? [width * channels, height, rowLength] : [channels, width, larger.channels];
  const spread = (from: number, to: number) =>
    memory.kernels.spread(from * FLOAT_BYTES, length * FLOAT_BYTES, pieces, to * FLOAT_BYTES, step * FLOAT_BYTES);
  for (let nth = 0; nth < count; nth++) {
    const [from, to] = [x.at + nth * height * width * channels, larger.at + (nth * larger.height + top) * rowLength];
    if (more === 0) spread(from, to + left * channels);
    else
      for (let y = 0; y < height; y++) spread(from + y * width * channels, to + y * rowLength + left * larger.channels);
  }
  return larger;
}

/** Goes over all pixels with a kernel that looks at 3 × 3 of them. */
export function neighbourhoods(
  memory: NetMemory,
  x: Pictures,
  work: {
    kernel: Kernels['depthwise'];
    stride: number;
    /** Of the weights, where the kernel has some. */
    at: number;
    range: readonly [least: number, most: number];
  },
): Pictures {
  const [height, width] = [x.height, x.width].map((length) => Math.floor((length - 3) / work.stride) + 1) as [number, number]; // prettier-ignore
  const output = memory.pictures(x.count, height, width, x.channels);
  const [inputRow, outputRow] = [x.width * x.channels, width * x.channels];
  for (let nth = 0; nth < x.count; nth++)
    for (let y = 0; y < height; y++)
      work.kernel(
        (x.at + (nth * x.height + y * work.stride) * inputRow) * FLOAT_BYTES,
        inputRow * FLOAT_BYTES,
        work.stride * x.channels * FLOAT_BYTES,
        width,
        x.channels * FLOAT_BYTES,
        work.at * FLOAT_BYTES,
        (output.at + (nth * height + y) * outputRow) * FLOAT_BYTES,
        ...work.range,
      );
  return output;
}

/** The largest value of each square of 3 pixels, 2 apart. */
export const maxPool = (memory: NetMemory, x: Pictures): Pictures =>
  neighbourhoods(memory, x, { kernel: memory.kernels.largest, stride: 2, at: 0, range: [-Infinity, Infinity] });

/** The mean of each square of `side` pixels, `stride` apart. */
export function averagePool(memory: NetMemory, x: Pictures, side: number, stride: number): Pictures {
  const [height, width] = [x.height, x.width].map((length) => Math.floor((length - side) / stride) + 1) as [number, number]; // prettier-ignore
  const { count, channels } = x;
  const output = memory.pictures(count, height, width, channels);
  const { all } = memory;
  all.fill(0, output.at, output.at + lengthOf(output));
  for (let pixel = 0; pixel < count * height * width; pixel++) {
    const [row, column] = [Math.floor(pixel / width), pixel % width];
    const picture = Math.floor(row / height);
    for (let tap = 0; tap < side * side; tap++) {
      const y = picture * x.height + (row % height) * stride + Math.floor(tap / side);
      const from = x.at + (y * x.width + column * stride + (tap % side)) * channels;
      const to = output.at + pixel * channels;
      for (let channel = 0; channel < channels; channel++)
        all[to + channel] = (all[to + channel] as number) + (all[from + channel] as number) / (side * side);
    }
  }
  return output;
}

/** Adds `other` to `x`, in its place, and answers `x`. Of one size. No value is below `least`. */
export function addTo(memory: NetMemory, x: Pictures, other: Pictures, least = -Infinity): Pictures {
  const at = x.at * FLOAT_BYTES;
  memory.kernels.sum(at, other.at * FLOAT_BYTES, LANES * FLOAT_BYTES, at, lengthOf(x) * FLOAT_BYTES, least);
  return x;
}

/** Negative values are zero. */
export function relu(memory: NetMemory, x: Pictures): Pictures {
  const output = { ...x, at: memory.allocate(lengthOf(x)) };
  const nothing = memory.put(new Float32Array(LANES));
  memory.kernels.sum(x.at * FLOAT_BYTES, nothing * FLOAT_BYTES, 0, output.at * FLOAT_BYTES, lengthOf(x) * FLOAT_BYTES, 0); // prettier-ignore
  return output;
}
