import sharp from 'sharp';
import type { Box } from '../find-faces.ts';
import { type GreyImage, greyAt } from './grey-image.ts';

/**
 * Captures made from one photograph. Nothing here is a recording: a genuine capture is the photo bent by a head of average depth that turns
 * a little before a background, with a mouth that moves, a hand that shakes, noise and JPEG; an attack is the photo drawn on a plane that
 * a hand holds, with what screens and prints do to it.
 */
export const CAPTURES = {
  'genuine, phone in the hand': { genuine: true, kind: 'hand' },
  'genuine, camera on a stand': { genuine: true, kind: 'stand' },
  'genuine, hardly any motion': { genuine: true, kind: 'motionless' },
  'photo on a screen, its border in view': { genuine: false, kind: 'screen' },
  'photo on a screen that fills the view': { genuine: false, kind: 'screen_filling' },
  'photo on a sharp screen (no grid visible), border in view': { genuine: false, kind: 'screen_sharp' },
  'print, its border in view': { genuine: false, kind: 'print' },
  'print that fills the view': { genuine: false, kind: 'print_filling' },
  'continuous-tone print that fills the view': { genuine: false, kind: 'photo_paper_filling' },
  'one picture sent again and again': { genuine: false, kind: 'repeated' },
} as const satisfies Record<string, { genuine: boolean; kind: string }>;
export type CaptureName = keyof typeof CAPTURES;
type Kind = (typeof CAPTURES)[CaptureName]['kind'];

export const FRAME = { width: 480, height: 640 };
/** When each frame is taken: 0 is how the capture begins, 1 where every motion ends. */
const MOMENTS = [0, 0.25, 0.5, 0.75, 1];
/** Of the frame's width, what the face takes. */
const FACE_SHARE = 0.46;
const FOCAL_PX = 560;

export interface Subject {
  photo: GreyImage;
  face: Box;
}

export interface Capture {
  /** JPEG. */
  frames: Buffer[];
  /** Where the face is in the first frame. */
  face: Box;
}

export type Random = () => number;

/** Always the same numbers for one seed, 0 to 1. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (random: Random, least: number, most: number) => least + (most - least) * random();
const signed = (random: Random, size: number) => between(random, -size, size);
/** About normal, with a standard deviation of 1. */
const normal = (random: Random) => (random() + random() + random() + random() - 2) * Math.sqrt(3);

/** @param moments more of them make a video, and back to 0 one that can be played again and again */
export async function capture(
  subject: Subject,
  name: CaptureName,
  seed: number,
  moments: readonly number[] = MOMENTS,
): Promise<Capture> {
  const random = randomOf(seed);
  const { kind, genuine } = CAPTURES[name];
  const drawn = (genuine ? genuineFrames : attackFrames)(subject, kind, random, moments);
  const noise = between(random, 1.2, 3);
  const quality = Math.round(between(random, 82, 94));
  const frames: Buffer[] = [];
  for (const image of drawn) {
    frames.push(kind === 'repeated' && frames[0] ? frames[0] : await encoded(image, noise, quality, random));
  }
  return { frames, face: faceInFrame(subject.face, kind) };
}

function encoded(image: GreyImage, noise: number, quality: number, random: Random): Promise<Buffer> {
  const gain = 1 + signed(random, 0.012);
  const pixels = Buffer.from(
    image.data.map((value) => Math.max(0, Math.min(255, value * gain + noise * normal(random)))),
  );
  const { width, height } = image;
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .jpeg({ quality })
    .toBuffer();
}

/** Of a picture plane in which the face of the photo lies in the middle: pixels of the photo for one of the frame. */
const scaleOf = (face: Box, share: number) => (face.right - face.left) / (FRAME.width * share);
const shareOf = (kind: Kind) => (kind === 'screen' || kind === 'screen_sharp' || kind === 'print' ? 0.32 : FACE_SHARE);

function faceInFrame(face: Box, kind: Kind): Box {
  const scale = scaleOf(face, shareOf(kind));
  const [w, h] = [(face.right - face.left) / scale / 2, (face.bottom - face.top) / scale / 2];
  const [x, y] = [FRAME.width / 2, FRAME.height / 2];
  return { left: x - w, right: x + w, top: y - h, bottom: y + h };
}

function draw(value: (x: number, y: number) => number): GreyImage {
  const { width, height } = FRAME;
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * width + x] = value(x, y);
  return { width, height, data };
}

/** Motion in pixels, turns in radians, by kind: how far things get within the two seconds. */
const MOTION = {
  hand: { head: 6, turn: 0.09, background: 9, shake: 6, mouth: 2.5 },
  stand: { head: 4, turn: 0.06, background: 0, shake: 0.2, mouth: 2 },
  motionless: { head: 0.5, turn: 0.006, background: 0, shake: 0.1, mouth: 0.3 },
} as const;

function genuineFrames({ photo, face }: Subject, kind: Kind, random: Random, moments: readonly number[]): GreyImage[] {
  const motion = MOTION[kind as keyof typeof MOTION];
  const scale = scaleOf(face, FACE_SHARE);
  const [cx, cy] = [(face.left + face.right) / 2, (face.top + face.bottom) / 2];
  const width = FRAME.width * FACE_SHARE;
  const height = (face.bottom - face.top) / scale;
  const ends = { x: signed(random, motion.head), y: signed(random, motion.head), yaw: between(random, 0.4, 1) * motion.turn * (random() < 0.5 ? -1 : 1), pitch: signed(random, motion.turn / 2), bx: signed(random, motion.background), by: signed(random, motion.background), mouth: between(random, 0.3, 1) * motion.mouth }; // prettier-ignore
  return moments.map((t, nth) => {
    const [sx, sy] = nth === 0 ? [0, 0] : [signed(random, motion.shake), signed(random, motion.shake)];
    const mouth = ends.mouth * Math.abs(Math.sin(3 * t));
    return draw((px, py) => {
      const [x, y] = [(px - FRAME.width / 2) / width, (py - FRAME.height / 2) / height];
      const distance = Math.hypot(x / 0.72, (y + 0.08) / 0.85);
      const inside = 1 / (1 + Math.exp((distance - 1) * 24));
      // Depth of a head: half an ellipsoid, and a nose.
      const depth = width * (0.42 * Math.sqrt(Math.max(0, 1 - Math.min(1, distance) ** 2)) + 0.14 * Math.exp(-((x / 0.13) ** 2 + ((y - 0.05) / 0.16) ** 2))); // prettier-ignore
      const lips = mouth * Math.exp(-((x / 0.22) ** 2 + ((y - 0.34) / 0.1) ** 2)) * Math.sign(y - 0.3);
      const dx = sx * 1 + t * (inside * (ends.x + depth * ends.yaw) + (1 - inside) * ends.bx);
      const dy = sy * 1 + t * (inside * (ends.y + depth * ends.pitch) + (1 - inside) * ends.by) + lips;
      return greyAt(photo, cx + (px - dx - FRAME.width / 2) * scale, cy + (py - dy - FRAME.height / 2) * scale);
    });
  });
}

interface Surface {
  /** Frame pixels for one of the display, or between two dots of a print; 0: too fine to be seen. */
  pitch: number;
  halftone: boolean;
  border: number;
  /** Half of the visible photo, in widths of the face; what lies beyond is border, then room. */
  half: { x: number; y: number };
  glare: number;
}

function surfaceOf(kind: Kind, random: Random): Surface {
  const filling = { x: 9, y: 9 };
  const framed = { x: between(random, 0.95, 1.15), y: between(random, 1.2, 1.45) };
  const screen = { pitch: between(random, 1.3, 2.6), halftone: false, border: 14, glare: between(random, 0, 35) };
  const print = { pitch: between(random, 2.2, 3.6), halftone: true, border: 246, glare: between(random, 0, 12) };
  switch (kind) {
    case 'screen':
      return { ...screen, half: framed };
    case 'screen_sharp':
      return { ...screen, pitch: 0, half: framed };
    case 'screen_filling':
      return { ...screen, half: filling };
    case 'print':
      return { ...print, half: framed };
    case 'print_filling':
      return { ...print, half: filling };
    default:
      return { ...print, pitch: 0, half: filling };
  }
}

function attackFrames(subject: Subject, kind: Kind, random: Random, moments: readonly number[]): GreyImage[] {
  const surface = surfaceOf(kind, random);
  const still = kind === 'repeated';
  const size = still ? 0 : between(random, 0.5, 1);
  const end = { yaw: size * between(random, 0.08, 0.26) * (random() < 0.5 ? -1 : 1), pitch: size * signed(random, 0.14), roll: size * signed(random, 0.05), x: size * signed(random, 16), y: size * signed(random, 16) }; // prettier-ignore
  const room = { tone: between(random, 60, 190), angle: random() * 3 };
  return moments.map((t, nth) => {
    const shake = still || nth === 0 ? 0 : 1.5;
    const pose = { yaw: end.yaw * t, pitch: end.pitch * t, roll: end.roll * t, x: end.x * t + signed(random, shake), y: end.y * t + signed(random, shake) }; // prettier-ignore
    return planeFrame(subject, kind, surface, pose, room);
  });
}

interface Pose {
  yaw: number;
  pitch: number;
  roll: number;
  x: number;
  y: number;
}

/** Corners of a pixel's fourths: what a sensor's pixel gathers. */
const GATHERED = [-0.25, 0.25];
/** Where nothing is finer than a pixel. */
const MIDDLE = [0];

function planeFrame(
  { photo, face }: Subject,
  kind: Kind,
  surface: Surface,
  pose: Pose,
  room: { tone: number; angle: number },
): GreyImage {
  // prettier-ignore
  const scale = scaleOf(face, shareOf(kind));
  const width = (face.right - face.left) / scale;
  const [cx, cy] = [(face.left + face.right) / 2, (face.top + face.bottom) / 2];
  const toPlane = planeOf(pose);
  const inPhoto = (u: number, v: number) => greyAt(photo, cx + u * scale, cy + v * scale);
  const half = { x: surface.half.x * width, y: surface.half.y * width };
  const rim = 0.1 * width;
  const gathered = surface.pitch === 0 ? MIDDLE : GATHERED;
  return draw((px, py) => {
    let sum = 0;
    for (const oy of gathered) {
      for (const ox of gathered) {
        const [u, v] = toPlane(px + ox - FRAME.width / 2, py + oy - FRAME.height / 2);
        if (Math.abs(u) < half.x && Math.abs(v) < half.y) sum += shown(surface, u, v, inPhoto);
        else if (Math.abs(u) < half.x + rim && Math.abs(v) < half.y + rim) sum += surface.border;
        else sum += room.tone + 25 * Math.sin(px / 60 + room.angle) * Math.cos(py / 75);
      }
    }
    const glare = surface.glare * Math.exp(-(((px - 300) / 90) ** 2 + ((py - 200) / 120) ** 2));
    return sum / gathered.length ** 2 + glare;
  });
}

/** What a point of the surface shows: pixels with a gap between them, or dots as large as the picture is dark. */
function shown({ pitch, halftone }: Surface, u: number, v: number, photo: (u: number, v: number) => number): number {
  if (pitch === 0) return photo(u, v);
  if (!halftone) {
    const [column, row] = [Math.floor(u / pitch), Math.floor(v / pitch)];
    const [x, y] = [u / pitch - column, v / pitch - row];
    const gap = x > 0.82 || y > 0.82 ? 0.45 : 1.14;
    return photo((column + 0.5) * pitch, (row + 0.5) * pitch) * gap;
  }
  const [a, b] = [((u + v) / Math.SQRT2 / pitch) * 2 * Math.PI, ((u - v) / Math.SQRT2 / pitch) * 2 * Math.PI];
  const cell = 0.5 + 0.25 * (Math.cos(a) + Math.cos(b));
  const tone = photo(u, v) / 255;
  return 30 + 215 * (1 / (1 + Math.exp((cell - tone) * 6)));
}

/** Where the ray through a pixel (from the middle) meets the tilted plane, in pixels of the untilted one. */
function planeOf({ yaw, pitch, roll, x, y }: Pose): (px: number, py: number) => [number, number] {
  const [cy, sy, cp, sp, cr, sr] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch), Math.cos(roll), Math.sin(roll)]; // prettier-ignore
  const f = FOCAL_PX;
  // Axes of the plane: across and down, each turned by roll, then pitch, then yaw.
  const turned = (ax: number, ay: number) => {
    const [rx, ry] = [ax * cr - ay * sr, ax * sr + ay * cr];
    const [qy, qz] = [ry * cp, ry * sp];
    return [rx * cy + qz * sy, qy, -rx * sy + qz * cy] as const;
  };
  const [e, g] = [turned(1, 0), turned(0, 1)];
  // Solve u·e + v·g + (x, y, f) = s·(px, py, f).
  return (px, py) => {
    const [a, b, c] = [e[0] - (px / f) * e[2], g[0] - (px / f) * g[2], px - x];
    const [d, h, k] = [e[1] - (py / f) * e[2], g[1] - (py / f) * g[2], py - y];
    const determinant = a * h - b * d;
    return [(c * h - b * k) / determinant, (a * k - c * d) / determinant];
  };
}
