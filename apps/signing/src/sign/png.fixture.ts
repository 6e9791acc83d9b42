import { deflateSync } from 'node:zlib';

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
}

export interface PngParts {
  width: number;
  height: number;
  depth?: number;
  /** Colour type: 6 is red, green, blue and opacity. */
  colour?: number;
  interlace?: number;
  /** Of every row; the rows are filtered by their caller. */
  filter?: number;
  rows?: Buffer[];
  data?: Buffer;
}

/** A PNG of these rows; without rows, transparent with a black line across. */
export function pngOf({
  width,
  height,
  depth = 8,
  colour = 6,
  interlace = 0,
  filter = 0,
  rows,
  data,
}: PngParts): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlace], 8);
  const line = (nth: number) =>
    nth === height >> 1 ? Buffer.alloc(width * 4, Buffer.from([0, 0, 0, 255])) : Buffer.alloc(width * 4);
  const all = rows ?? Array.from({ length: height }, (_, nth) => line(nth));
  const raw = Buffer.concat(all.flatMap((row) => [Buffer.from([filter]), row]));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data ?? deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
