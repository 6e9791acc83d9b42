import { deflateSync } from 'node:zlib';

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
}

/** A grey PNG with transparency: rows of [grey, opacity] pixels. */
export function greyPng(
  pixels: [number, number][][],
  { width = pixels[0]?.length ?? 0, height = pixels.length, extra = [] as Buffer[], data }: Partial<PngParts> = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 4, 0, 0, 0], 8);
  const rows = Buffer.from(pixels.flatMap((row) => [0, ...row.flat()]));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', data ?? deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

interface PngParts {
  width: number;
  height: number;
  extra: Buffer[];
  data: Buffer;
}
