import { crc32 } from 'node:zlib';

/** A picture's size in pixels, as its file says. */
export interface PictureSize {
  width: number;
  height: number;
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const JPEG = Buffer.from('ffd8ff', 'hex');
const JPEG_END = Buffer.from('ffd9', 'hex');
/** Frame headers of JPEG (ISO 10918-1, table B.1), without those that tables and restarts have. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, PNG.length).equals(PNG);
export const isJpeg = (bytes: Buffer): boolean => bytes.subarray(0, JPEG.length).equals(JPEG);

/** The size of a PNG whose chunks are whole, from the header to the end of the file; null for any other bytes. */
export function pngSize(bytes: Buffer): PictureSize | null {
  let size: PictureSize | null = null;
  for (let at = PNG.length; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((size === null) !== (type === 'IHDR')) return null;
    if (type === 'IHDR') size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    if (type === 'IEND') return end === bytes.length ? size : null;
    at = end;
  }
  return null;
}

/** The size of a JPEG that has a frame and an end; null for any other bytes. Cameras put more behind the end. */
export function jpegSize(bytes: Buffer): PictureSize | null {
  if (!bytes.includes(JPEG_END)) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at += 1; // fill bytes
      continue;
    }
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
