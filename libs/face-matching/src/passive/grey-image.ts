/** Luminance row by row, 0 to 255. */
export interface GreyImage {
  width: number;
  height: number;
  data: Float32Array;
}

/** Half as wide and high; every pixel the mean of four. */
export function halvedGrey({ width, height, data }: GreyImage): GreyImage {
  const [w, h] = [width >> 1, height >> 1];
  const small = new Float32Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const at = y * 2 * width + x * 2;
      const [a, b] = [(data[at] as number) + (data[at + 1] as number), at + width];
      small[y * w + x] = (a + (data[b] as number) + (data[b + 1] as number)) / 4;
    }
  }
  return { width: w, height: h, data: small };
}

/** The value between four pixels; outside, that of the nearest edge. */
export function greyAt({ width, height, data }: GreyImage, x: number, y: number): number {
  const [cx, cy] = [Math.min(Math.max(x, 0), width - 1.001), Math.min(Math.max(y, 0), height - 1.001)];
  const [left, top] = [cx | 0, cy | 0];
  const [fx, fy] = [cx - left, cy - top];
  const at = top * width + left;
  const upper = (data[at] as number) * (1 - fx) + (data[at + 1] as number) * fx;
  const lower = (data[at + width] as number) * (1 - fx) + (data[at + width + 1] as number) * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Differences to the right and downwards, per pixel. */
export interface Gradients {
  x: Float32Array;
  y: Float32Array;
}

export function gradientsOf({ width, height, data }: GreyImage): Gradients {
  const [gx, gy] = [new Float32Array(data.length), new Float32Array(data.length)];
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
      gx[at] = ((data[at + 1] as number) - (data[at - 1] as number)) / 2;
      gy[at] = ((data[at + width] as number) - (data[at - width] as number)) / 2;
    }
  }
  return { x: gx, y: gy };
}
