import { inflateSync } from 'node:zlib';

/** A picture that can be embedded, and its size in pixels. */
export interface CheckedPicture {
  kind: 'png' | 'jpeg';
  /** Without what is not needed to show it. */
  bytes: Uint8Array;
  width: number;
  height: number;
}

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_PIXELS = 8_000_000;
const MAGIC = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Numbers of a pixel by colour type (RFC 2083, 4.1.1): grey, colours, palette, grey and alpha, colours and alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** First column and row, and steps between them, of the passes of an interlaced picture (RFC 2083, 2.6). */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const WHOLE = [[0, 0, 1, 1]] as const;
/** What shows the picture. The others (texts, profiles, animations) may hold anything, and inflate to anything. */
const NEEDED = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Frame headers of JPEG (ISO 10918-1, table B.1) but for those that few readers know: arithmetic coding, lossless. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);

/** Looks at a picture from a stranger before anything decodes it. Answers undefined, or a sentence, for what cannot be drawn. */
export function checkedPicture(bytes: Uint8Array): CheckedPicture | string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length > MOST_BYTES) return 'is larger than 2 MB';
  const picture = file.subarray(0, 8).equals(MAGIC) ? png(file) : jpeg(file);
  if (!picture) return 'is neither a whole PNG nor a JPEG';
  if (picture.width * picture.height > MOST_PIXELS) return 'has more than 8 million pixels';
  return picture.kind === 'png' && !inflates(picture) ? 'is damaged' : picture;
}

interface Chunk {
  type: string;
  data: Buffer;
  whole: Buffer;
}

function* chunks(file: Buffer): Generator<Chunk> {
  for (let at = MAGIC.length; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length) return;
    yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) }; // prettier-ignore
    at = end;
  }
}

function png(file: Buffer): CheckedPicture | undefined {
  const needed = [...chunks(file)].filter(({ type }) => NEEDED.has(type));
  const [header] = needed;
  if (header?.type !== 'IHDR' || header.data.length !== 13 || needed.at(-1)?.type !== 'IEND') return undefined;
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  if (width === 0 || height === 0) return undefined;
  return { kind: 'png', bytes: Buffer.concat([MAGIC, ...needed.map(({ whole }) => whole)]), width, height };
}

/** Whether the pixels inflate, to just as much as the header says: the decoder would take whatever comes, and make up what does not. */
function inflates({ bytes }: CheckedPicture): boolean {
  const [header, ...others] = [...chunks(bytes as Buffer)] as [Chunk, ...Chunk[]];
  const data = others.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
  const expected = pixelBytes(header.data);
  if (!expected) return false;
  try {
    return inflateSync(Buffer.concat(data), { maxOutputLength: expected }).length === expected;
  } catch {
    return false;
  }
}

/** Bytes of all rows, each with a byte for its filter; NaN for an unknown colour type. */
function pixelBytes(header: Buffer): number {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colour, interlaced] = [header[8], header[9], header[12]] as [number, number, number];
  const bits = depth * (CHANNELS[colour] ?? Number.NaN);
  let sum = 0;
  for (const [left, top, right, down] of interlaced === 1 ? ADAM7 : WHOLE) {
    const [columns, rows] = [Math.ceil((width - left) / right), Math.ceil((height - top) / down)];
    if (columns > 0 && rows > 0) sum += rows * (1 + Math.ceil((columns * bits) / 8));
  }
  return sum;
}

function jpeg(file: Buffer): CheckedPicture | undefined {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < file.length;) {
    if (file[at] !== 0xff) return undefined;
    const marker = file[at + 1] as number;
    if (FRAMES.has(marker)) {
      const [height, width] = [file.readUInt16BE(at + 5), file.readUInt16BE(at + 7)];
      return width > 0 && height > 0 ? { kind: 'jpeg', bytes: file, width, height } : undefined;
    }
    at += 2 + file.readUInt16BE(at + 2);
  }
  return undefined;
}
