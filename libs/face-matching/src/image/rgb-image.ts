/** Pixels row by row, three bytes each. */
export interface RgbImage {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A picture and its halvings, so that any part of it can be shrunk without leaving pixels out. */
export class Pyramid {
  readonly levels: [RgbImage, ...RgbImage[]];

  constructor(image: RgbImage) {
    this.levels = [image];
    for (let last = image; Math.min(last.width, last.height) >= 2 * SMALLEST_PX;) {
      last = halved(last);
      this.levels.push(last);
    }
  }

  get width(): number {
    return this.levels[0].width;
  }

  get height(): number {
    return this.levels[0].height;
  }
}

const SMALLEST_PX = 32;

/** From a point of the target to one of the source: `x' = a·x − b·y + tx`, `y' = b·x + a·y + ty`. */
export interface Similarity {
  a: number;
  b: number;
  tx: number;
  ty: number;
}

/** A square of `side` pixels out of the picture, as `cutRectangle` cuts it. */
export const cutSquare = (pyramid: Pyramid, toSource: Similarity, side: number): Uint8Array =>
  cutRectangle(pyramid, toSource, { width: side, height: side }).data;

/**
 * A part of the picture, so many pixels large, bilinear. `toSource` leads from its pixels to those of the picture; what lies outside is
 * black.
 */
export function cutRectangle(
  pyramid: Pyramid,
  toSource: Similarity,
  { width, height }: Pick<RgbImage, 'width' | 'height'>,
): RgbImage {
  const scale = Math.hypot(toSource.a, toSource.b);
  const level = Math.min(pyramid.levels.length - 1, Math.max(0, Math.floor(Math.log2(scale) + 0.25)));
  const image = pyramid.levels[level] as RgbImage;
  const part = 1 / 2 ** level;
  const cut = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sourceX = (toSource.a * (x + 0.5) - toSource.b * (y + 0.5) + toSource.tx) * part - 0.5;
      const sourceY = (toSource.b * (x + 0.5) + toSource.a * (y + 0.5) + toSource.ty) * part - 0.5;
      takePixel(image, sourceX, sourceY, cut, (y * width + x) * 3);
    }
  }
  return { width, height, data: cut };
}

function takePixel({ width, height, data }: RgbImage, x: number, y: number, into: Uint8Array, at: number): void {
  if (x <= -1 || y <= -1 || x >= width || y >= height) return;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [partX, partY] = [x - left, y - top];
  const [x0, x1] = [Math.max(0, left), Math.min(width - 1, left + 1)];
  const [y0, y1] = [Math.max(0, top) * width, Math.min(height - 1, top + 1) * width];
  const [p, q, r, s] = [(y0 + x0) * 3, (y0 + x1) * 3, (y1 + x0) * 3, (y1 + x1) * 3];
  for (let channel = 0; channel < 3; channel++) {
    const upper = (data[p + channel] as number) * (1 - partX) + (data[q + channel] as number) * partX;
    const lower = (data[r + channel] as number) * (1 - partX) + (data[s + channel] as number) * partX;
    into[at + channel] = upper * (1 - partY) + lower * partY + 0.5;
  }
}

/** Half as wide and high; every pixel the mean of four. */
function halved({ width, height, data }: RgbImage): RgbImage {
  const [w, h] = [width >> 1, height >> 1];
  const small = new Uint8Array(w * h * 3);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const from = (y * 2 * width + x * 2) * 3;
      const below = from + width * 3;
      const to = (y * w + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const one = from + channel;
        const two = below + channel;
        small[to + channel] =
          ((data[one] as number) + (data[one + 3] as number) + (data[two] as number) + (data[two + 3] as number) + 2) >>
          2;
      }
    }
  }
  return { width: w, height: h, data: small };
}

/** The picture turned by 180 degrees. */
export function upsideDown({ width, height, data }: RgbImage): RgbImage {
  const turned = new Uint8Array(data.length);
  for (let from = 0, to = data.length - 3; to >= 0; from += 3, to -= 3) {
    turned[to] = data[from] as number;
    turned[to + 1] = data[from + 1] as number;
    turned[to + 2] = data[from + 2] as number;
  }
  return { width, height, data: turned };
}

/** The whole picture as a square, its shape lost. */
export function thumbnail({ levels }: Pyramid, side: number): Uint8Array {
  const image = levels.findLast(({ width, height }) => Math.min(width, height) >= side) ?? levels[0];
  const small = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [sourceX, sourceY] = [((x + 0.5) * image.width) / side - 0.5, ((y + 0.5) * image.height) / side - 0.5];
      takePixel(image, sourceX, sourceY, small, (y * side + x) * 3);
    }
  }
  return small;
}

/** The same square seen in a mirror. */
export function mirrored(square: Uint8Array, side: number): Uint8Array {
  const other = new Uint8Array(square.length);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const from = (y * side + x) * 3;
      other.set(square.subarray(from, from + 3), (y * side + side - 1 - x) * 3);
    }
  }
  return other;
}
