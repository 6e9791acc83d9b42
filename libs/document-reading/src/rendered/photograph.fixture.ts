import sharp from 'sharp';
import { composed, homographyBetween, mapPoint } from '../image/homography.ts';
import type { Homography, Point } from '../image/homography.ts';
import { sampled } from '../image/warp.ts';

/** How a photo of a card was taken. All optional: without anything the card lies straight on a table. */
export interface Photography {
  /** Width of the photo before its orientation, in pixels; the height follows at 4:3. Default 1600. */
  width?: number;
  /** Share of the photo's width that the card takes. Default 0.86. */
  fill?: number;
  /** Degrees in the picture's plane. */
  skew?: number;
  /** Degrees by which the card leans away from the camera, about its vertical and its horizontal axis. */
  yaw?: number;
  pitch?: number;
  /** Quarter turns of the camera, 0 to 3. */
  orientation?: number;
  /** Standard deviation of the blur, pixels. */
  blur?: number;
  /** JPEG quality, 1 to 100. Default 88. */
  quality?: number;
  /** A reflection: centre in shares of the photo, radius as a share of its width, strength 0 to 1. */
  glare?: { x: number; y: number; radius: number; strength: number };
  /** A shadow's edge crosses the photo at this angle (degrees) and place (share); strength 0 to 1. */
  shadow?: { angle: number; at: number; strength: number };
  /** Standard deviation of the sensor's noise, grey levels. */
  noise?: number;
  seed?: number;
}

/** Small seeded generator, 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A JPEG of a card (any encoded image) as a camera would take it. Grey: readers do not look at colours. */
export async function photographed(card: Uint8Array, how: Photography = {}): Promise<Buffer> {
  const { data, info } = await sharp(card).flatten({ background: '#fff' }).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true }); // prettier-ignore
  const plane = {
    width: info.width,
    height: info.height,
    data: new Uint8Array(data.buffer, data.byteOffset, data.length),
  };
  const width = how.width ?? 1600;
  const height = Math.round((width * 3) / 4);
  const map = fromPhoto(info.width, info.height, width, height, how);
  const pixels = Buffer.alloc(width * height);
  const random = seeded(how.seed ?? 1);
  const light = lighting(how, width, height);
  const noise = how.noise ?? 2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const place = mapPoint(map, x, y);
      const seen = sampled(plane, place.x, place.y);
      const table = 92 + 10 * Math.sin(x / 37) + 8 * Math.sin(y / 23 + x / 61);
      const value = light(seen >= 0 ? seen : table, x, y) + noise * (random() + random() + random() - 1.5) * 2;
      pixels[y * width + x] = Math.max(0, Math.min(255, Math.round(value)));
    }
  }
  let photo = sharp(pixels, { raw: { width, height, channels: 1 } });
  if (how.blur && how.blur > 0.3) photo = photo.blur(how.blur);
  const flat = await photo.raw().toBuffer({ resolveWithObject: true });
  return sharp(flat.data, { raw: { width, height, channels: flat.info.channels } })
    .rotate(90 * (how.orientation ?? 0))
    .jpeg({ quality: how.quality ?? 88 })
    .toBuffer();
}

/** From a pixel of the photo to one of the card: a pinhole camera 2.2 card widths away. */
function fromPhoto(cardWidth: number, cardHeight: number, width: number, height: number, how: Photography): Homography {
  const radians = (degrees: number | undefined) => ((degrees ?? 0) * Math.PI) / 180;
  const [skew, yaw, pitch] = [radians(how.skew), radians(how.yaw), radians(how.pitch)];
  const corners = [
    { x: 0, y: 0 },
    { x: cardWidth, y: 0 },
    { x: cardWidth, y: cardHeight },
    { x: 0, y: cardHeight },
  ];
  const seen = corners.map(({ x, y }): Point => {
    const [u, v] = [x / cardWidth - 0.5, (y - cardHeight / 2) / cardWidth];
    const [a, b] = [u * Math.cos(yaw), v * Math.cos(pitch)];
    const depth = 2.2 + u * Math.sin(yaw) + v * Math.sin(pitch);
    const [p, q] = [(2.2 * a) / depth, (2.2 * b) / depth];
    return { x: p * Math.cos(skew) - q * Math.sin(skew), y: p * Math.sin(skew) + q * Math.cos(skew) };
  });
  const [xs, ys] = [seen.map(({ x }) => x), seen.map(({ y }) => y)];
  const [w, h] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  const scale = Math.min(((how.fill ?? 0.86) * width) / Math.max(w, 1), (0.95 * width) / w, (0.95 * height) / h);
  const [cx, cy] = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2];
  const placed = seen.map(({ x, y }) => ({ x: (x - cx) * scale + width / 2, y: (y - cy) * scale + height / 2 }));
  return homographyBetween(placed, corners) ?? composed(IDENTITY, IDENTITY);
}

const IDENTITY: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function lighting(how: Photography, width: number, height: number): (value: number, x: number, y: number) => number {
  const { glare, shadow } = how;
  return (value, x, y) => {
    let lit = value;
    if (shadow) {
      const angle = (shadow.angle * Math.PI) / 180;
      const place = (x / width - 0.5) * Math.cos(angle) + (y / height - 0.5) * Math.sin(angle) - (shadow.at - 0.5);
      lit *= 1 - shadow.strength / (1 + Math.exp(-place * 60));
    }
    if (glare) {
      const distance = Math.hypot(x - glare.x * width, y - glare.y * height) / (glare.radius * width);
      lit += glare.strength * (255 - lit) * Math.exp(-distance * distance);
    }
    return lit;
  };
}
