import { inflateSync } from 'node:zlib';

const MAGIC = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Numbers of a pixel by colour type (PNG, third edition, 11.2.1). */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const ALPHA_LAST = new Set([4, 6]);
/** A pad on the largest of screens, three pixels to a point. */
const MOST_PIXELS = 4_000_000;

interface Header {
  width: number;
  height: number;
  depth: number;
  channels: number;
  hasAlpha: boolean;
}

/** What is wrong with a picture of a signature, as the end of a sentence that begins with "the picture"; undefined: nothing. */
export function pngProblem(file: Buffer): string | undefined {
  const chunks = chunksOf(file);
  const header = chunks && headerOf(chunks);
  if (!chunks || !header) return 'is not a whole PNG';
  if (header === 'interlaced') return 'is interlaced: save it without';
  if (header.width * header.height > MOST_PIXELS) return `has more than ${MOST_PIXELS / 1_000_000} million pixels`;
  const pixels = pixelsOf(chunks, header);
  if (!pixels) return 'is damaged';
  return isBlank(pixels, header) ? 'is blank' : undefined;
}

interface Chunk {
  type: string;
  data: Buffer;
}

function chunksOf(file: Buffer): Chunk[] | undefined {
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = MAGIC.length; at + 12 <= file.length;) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) return undefined;
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end - 4) });
    at = end;
  }
  return chunks.at(-1)?.type === 'IEND' ? chunks : undefined;
}

function headerOf([first]: Chunk[]): Header | 'interlaced' | undefined {
  if (first?.type !== 'IHDR' || first.data.length !== 13) return undefined;
  const [width, height] = [first.data.readUInt32BE(0), first.data.readUInt32BE(4)];
  const [depth, colour, interlace] = [first.data[8], first.data[9], first.data[12]] as [number, number, number];
  const channels = CHANNELS[colour];
  if (!channels || width === 0 || height === 0 || ![1, 2, 4, 8, 16].includes(depth)) return undefined;
  if (interlace !== 0) return 'interlaced';
  return { width, height, depth, channels, hasAlpha: ALPHA_LAST.has(colour) };
}

/** The rows without their filters; undefined when they do not inflate to just as much as the header says. */
function pixelsOf(chunks: Chunk[], { width, height, depth, channels }: Header): Buffer | undefined {
  const pixelBytes = Math.max(1, (depth * channels) / 8);
  const rowBytes = Math.ceil((width * depth * channels) / 8);
  const expected = height * (rowBytes + 1);
  let raw: Buffer;
  try {
    const data = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
    raw = inflateSync(Buffer.concat(data), { maxOutputLength: expected });
  } catch {
    return undefined;
  }
  if (raw.length !== expected) return undefined;
  const pixels = Buffer.alloc(height * rowBytes);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (rowBytes + 1)] as number;
    const line = raw.subarray(row * (rowBytes + 1) + 1, (row + 1) * (rowBytes + 1));
    if (!unfilter(filter, line, pixels, row * rowBytes, pixelBytes)) return undefined;
  }
  return pixels;
}

/** Undoes a row's filter (PNG, 9.2) into `pixels` at `at`; false for one that does not exist. */
function unfilter(filter: number, line: Buffer, pixels: Buffer, at: number, step: number): boolean {
  const predict = PREDICTIONS[filter];
  if (!predict) return false;
  for (let i = 0; i < line.length; i++) {
    const left = i < step ? 0 : (pixels[at + i - step] as number);
    const up = at === 0 ? 0 : (pixels[at + i - line.length] as number);
    const upLeft = at === 0 || i < step ? 0 : (pixels[at + i - line.length - step] as number);
    pixels[at + i] = ((line[i] as number) + predict(left, up, upLeft)) & 0xff;
  }
  return true;
}

const PREDICTIONS: readonly ((left: number, up: number, upLeft: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
];

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const [byLeft, byUp, byUpLeft] = [left, up, upLeft].map((each) => Math.abs(estimate - each)) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byUp && byLeft <= byUpLeft) return left;
  return byUp <= byUpLeft ? up : upLeft;
}

/** Whether there is nothing to see: every pixel is transparent, or all are the same. */
function isBlank(pixels: Buffer, { depth, channels, hasAlpha }: Header): boolean {
  const size = (depth * channels) / 8;
  // Pixels that share bytes: the same byte everywhere is as blank as it gets.
  if (size < 1) return pixels.every((byte) => byte === pixels[0]);
  const first = pixels.subarray(0, size);
  let same = true;
  let transparent = hasAlpha;
  for (let at = 0; at < pixels.length && (same || transparent); at += size) {
    if (transparent && pixels[at + size - depth / 8] !== 0) transparent = false;
    if (same && first.compare(pixels, at, at + size) !== 0) same = false;
  }
  return same || transparent;
}
