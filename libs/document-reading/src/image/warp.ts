import { greyImage } from './grey-image.ts';
import type { GreyImage } from './grey-image.ts';
import type { Homography } from './homography.ts';

/**
 * The picture seen through a map: pixel (x, y) of the answer takes the bilinear value of `source` at `map(x, y)`; `fill`
 * outside. Where the answer is much smaller than what it shows, halve the source first.
 */
export function warped(source: GreyImage, map: Homography, width: number, height: number, fill = 255): GreyImage {
  const target = greyImage(width, height, fill);
  for (let y = 0; y < height; y++) {
    const [u, v, w] = [map[1] * y + map[2], map[4] * y + map[5], map[7] * y + 1];
    for (let x = 0; x < width; x++) {
      const scale = 1 / (map[6] * x + w);
      const value = sampled(source, (map[0] * x + u) * scale, (map[3] * x + v) * scale);
      if (value >= 0) target.data[y * width + x] = value + 0.5;
    }
  }
  return target;
}

/** The bilinear value at a place between pixels (pixel centres are whole numbers); -1 outside the picture. */
export function sampled(source: GreyImage, x: number, y: number): number {
  const { width, height, data } = source;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return -1;
  const at = top * width + left;
  const [dx, dy] = [x - left, y - top];
  const above = (data[at] as number) * (1 - dx) + (data[at + 1] as number) * dx;
  const below = (data[at + width] as number) * (1 - dx) + (data[at + width + 1] as number) * dx;
  return above * (1 - dy) + below * dy;
}

/** The picture turned by an angle around its centre (degrees, counter-clockwise as seen), in a white frame that holds it all. */
export function turned(source: GreyImage, degrees: number): GreyImage {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const width = Math.ceil(Math.abs(source.width * cos) + Math.abs(source.height * sin));
  const height = Math.ceil(Math.abs(source.width * sin) + Math.abs(source.height * cos));
  const x = (source.width - cos * width + sin * height) / 2;
  const y = (source.height - sin * width - cos * height) / 2;
  return warped(source, [cos, -sin, x, sin, cos, y, 0, 0, 1], width, height);
}
