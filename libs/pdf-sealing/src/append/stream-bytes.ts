import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFNull, PDFRawStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

const name = (text: string) => PDFName.of(text);
const FLATE = new Set<PDFObject>([name('FlateDecode'), name('Fl')]);
const ASCII: ReadonlyMap<PDFObject, PDFName> = new Map([
  [name('ASCII85Decode'), name('ASCII85Decode')],
  [name('A85'), name('ASCII85Decode')],
  [name('ASCIIHexDecode'), name('ASCIIHexDecode')],
  [name('AHx'), name('ASCIIHexDecode')],
]);

/** A stream's filters, in the order in which they are undone. */
function filtersOf(dict: PDFDict): (PDFObject | undefined)[] {
  const filter = dict.lookup(name('Filter'));
  if (filter === undefined || filter === PDFNull) return [];
  return filter instanceof PDFArray ? filter.asArray().map((_, nth) => filter.lookup(nth)) : [filter];
}

/** A stream's bytes without their filters, `most` at most; undefined when they are more, damaged, or of another filter. */
export function streamBytes(stream: PDFRawStream, most: number): Buffer | undefined {
  const parameters = stream.dict.lookup(name('DecodeParms'));
  if (parameters !== undefined && parameters !== PDFNull) return undefined;
  try {
    let bytes: Uint8Array = stream.contents;
    for (const filter of filtersOf(stream.dict)) {
      const ascii = filter && ASCII.get(filter);
      if (filter && FLATE.has(filter)) bytes = inflated(bytes, most);
      else if (ascii) bytes = withoutAscii(stream, ascii, bytes);
      else return undefined;
    }
    return bytes.length > most ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch {
    return undefined;
  }
}

/** Readers forgive an end that is missing, and a checksum that is wrong. */
function inflated(bytes: Uint8Array, most: number): Buffer {
  const options = { maxOutputLength: Math.max(most, 1), finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return inflateSync(bytes, options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'Z_DATA_ERROR' || !message.includes('check')) throw error;
    return inflateRawSync(bytes.subarray(2), options);
  }
}

function withoutAscii({ dict }: PDFRawStream, filter: PDFName, bytes: Uint8Array): Uint8Array {
  return decodePDFRawStream(PDFRawStream.of(dict.context.obj({ Filter: filter }) as PDFDict, bytes)).decode();
}

/**
 * How many bytes a stream has without its filters, counted up to `most` + 1: inflating stops there. Filters that are not known, and pictures,
 * count as they stand; damaged data as far as it goes.
 */
export function inflatedSize(stream: PDFRawStream, most: number): number {
  let bytes: Uint8Array = stream.contents;
  for (const filter of filtersOf(stream.dict)) {
    try {
      const ascii = filter && ASCII.get(filter);
      if (filter && FLATE.has(filter)) bytes = inflated(bytes, most);
      else if (filter && LZW.has(filter)) return lzwSize(bytes, most);
      else if (filter && RUN_LENGTH.has(filter)) return runLengthSize(bytes, most);
      else if (ascii) bytes = withoutAscii(stream, ascii, bytes);
      else return bytes.length;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? most + 1 : bytes.length;
    }
  }
  return bytes.length;
}

const LZW = new Set<PDFObject>([name('LZWDecode'), name('LZW')]);
const RUN_LENGTH = new Set<PDFObject>([name('RunLengthDecode'), name('RL')]);

/** The length of what LZW data stands for (ISO 32000-1, 7.4.4), from the lengths of its codes alone. */
function lzwSize(bytes: Uint8Array, most: number): number {
  const lengths = new Uint32Array(4_096);
  let [size, next, width, held, bits, previous] = [0, 258, 9, 0, 0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === 257 || size > most) break;
    if (code === 256) {
      [next, width, previous] = [258, 9, 0];
      continue;
    }
    const length = code < 256 ? 1 : code < next ? (lengths[code] as number) : previous + 1;
    if (previous > 0 && next < 4_096) lengths[next++] = previous + 1;
    if (next + 1 >= 1 << width && width < 12) width++;
    size += length;
    previous = length;
  }
  return Math.min(size, most + 1);
}

function runLengthSize(bytes: Uint8Array, most: number): number {
  let size = 0;
  for (let at = 0; at < bytes.length && size <= most;) {
    const length = bytes[at] as number;
    if (length === 128) break;
    size += length < 128 ? length + 1 : 257 - length;
    at += length < 128 ? length + 2 : 2;
  }
  return Math.min(size, most + 1);
}
