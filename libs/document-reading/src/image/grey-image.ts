/** An 8-bit grey picture, rows from the top, without padding. */
export interface GreyImage {
  width: number;
  height: number;
  data: Uint8Array;
}

export const greyImage = (width: number, height: number, fill = 0): GreyImage => ({
  width,
  height,
  data: new Uint8Array(width * height).fill(fill),
});

/** Sums over rectangles in four look-ups: entry (x, y) holds the sum left of x and above y. */
function integral(image: GreyImage): Float64Array {
  const { width, height, data } = image;
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += data[y * width + x] as number;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] as number) + row;
    }
  }
  return sums;
}

/** Means over a square window of `radius` pixels around each pixel (cut at the borders). */
export function localMeans(image: GreyImage, radius: number): Float32Array {
  const { width, height } = image;
  const sums = integral(image);
  const stride = width + 1;
  const means = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - radius) * stride;
    const bottom = Math.min(height, y + radius + 1) * stride;
    const rows = bottom / stride - top / stride;
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - radius);
      const right = Math.min(width, x + radius + 1);
      const sum =
        (sums[bottom + right] as number) -
        (sums[bottom + left] as number) -
        (sums[top + right] as number) +
        (sums[top + left] as number);
      means[y * width + x] = sum / (rows * (right - left));
    }
  }
  return means;
}

/** Half the size in both directions, each pixel the mean of four. */
export function halved(image: GreyImage): GreyImage {
  const half = greyImage(image.width >> 1, image.height >> 1);
  for (let y = 0; y < half.height; y++) {
    const above = 2 * y * image.width;
    const below = above + image.width;
    for (let x = 0; x < half.width; x++) {
      const at = 2 * x;
      const sum =
        (image.data[above + at] as number) +
        (image.data[above + at + 1] as number) +
        (image.data[below + at] as number) +
        (image.data[below + at + 1] as number);
      half.data[y * half.width + x] = (sum + 2) >> 2;
    }
  }
  return half;
}
