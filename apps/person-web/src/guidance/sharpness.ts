import type { GreyFrame } from './grey-frame.ts';
import type { Area } from './light.ts';

/** Variance of the Laplacian in an area, after its contrast was stretched to a standard deviation of 50. */
export function sharpnessOf({ width, height, data }: GreyFrame, { left, top, right, bottom }: Area): number {
  let [count, light, lightSquares, sum, squares] = [0, 0, 0, 0, 0];
  for (let y = Math.max(1, top); y < Math.min(height - 1, bottom); y++) {
    const end = y * width + Math.min(width - 1, right);
    for (let at = y * width + Math.max(1, left); at < end; at++) {
      const value = data[at] as number;
      const laplacian =
        (data[at - 1] as number) +
        (data[at + 1] as number) +
        (data[at - width] as number) +
        (data[at + width] as number) -
        4 * value;
      count += 1;
      light += value;
      lightSquares += value * value;
      sum += laplacian;
      squares += laplacian * laplacian;
    }
  }
  if (count === 0) return 0;
  const variance = (total: number, ofSquares: number): number => ofSquares / count - (total / count) ** 2;
  return (variance(sum, squares) * 2500) / Math.max(100, variance(light, lightSquares));
}
