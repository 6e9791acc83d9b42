import { inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib';
import type { PDFRawStream } from 'pdf-lib';

/** Where an object stands: at an offset of the file, or in an object stream. */
export type Entry = { kind: 'plain'; offset: number; generation: number } | { kind: 'packed'; stream: number };

/** The file cannot be continued as it is; other programs rebuild such a table, each in its own way. */
export class BrokenCrossReference extends Error {}

const MOST_ROWS = 8_400_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** The rows of a cross-reference stream (ISO 32000-1, 7.5.8); null for a free number. Throws BrokenCrossReference. */
export function crossReferenceRows({ dict, contents }: PDFRawStream): [number, Entry | null][] {
  const [w0 = 0, w1 = 0, w2 = 0] = integers(dict, 'W') ?? [];
  const width = w0 + w1 + w2;
  if (width === 0 || Math.max(w0, w1, w2) > 6) throw new BrokenCrossReference('impossible field widths');
  const index = integers(dict, 'Index') ?? [0, numberOf(dict, 'Size', 0)];
  const claimed = index.reduce((sum, count, nth) => (nth % 2 === 1 ? sum + count : sum), 0);
  if (claimed > MOST_ROWS) throw new BrokenCrossReference('too many entries');
  const bytes = decoded(dict, contents);
  const field = (at: number, length: number, otherwise: number) =>
    length === 0 ? otherwise : bytes.readUIntBE(at, length);
  const rows: [number, Entry | null][] = [];
  let at = 0;
  for (let section = 0; section + 1 < index.length; section += 2) {
    const first = index[section] as number;
    for (let nth = 0; nth < (index[section + 1] as number); nth++, at += width) {
      if (at + width > bytes.length) throw new BrokenCrossReference('a stream that is too short');
      const entry = entryOf(field(at, w0, 1), field(at + w0, w1, 0), field(at + w0 + w1, w2, 0));
      if (entry !== undefined) rows.push([first + nth, entry]);
    }
  }
  return rows;
}

/** undefined for a type that is not known: to be read as a reference to null. */
function entryOf(type: number, second: number, third: number): Entry | null | undefined {
  if (type === 2) return { kind: 'packed', stream: second };
  if (type === 1 && second > 0) return { kind: 'plain', offset: second, generation: third };
  return type <= 1 ? null : undefined;
}

function decoded(dict: PDFDict, contents: Uint8Array): Buffer {
  const filter = only(dict, 'Filter');
  if (filter === undefined) return Buffer.from(contents.buffer, contents.byteOffset, contents.length);
  if (filter !== PDFName.of('FlateDecode')) throw new BrokenCrossReference('a filter of its own');
  let bytes: Buffer;
  try {
    bytes = inflateSync(contents, { maxOutputLength: MOST_BYTES });
  } catch {
    throw new BrokenCrossReference('a stream that does not inflate');
  }
  const parameters = only(dict, 'DecodeParms');
  if (!(parameters instanceof PDFDict)) return bytes;
  const predictor = numberOf(parameters, 'Predictor', 1);
  if (predictor === 1) return bytes;
  if (predictor < 10) throw new BrokenCrossReference('a predictor of its own');
  const depth = numberOf(parameters, 'Colors', 1) * numberOf(parameters, 'BitsPerComponent', 8);
  return unpredicted(bytes, Math.max(1, depth >> 3), Math.ceil((numberOf(parameters, 'Columns', 1) * depth) / 8));
}

/** Undoes the PNG filters (RFC 2083, 6): each row has its own. */
function unpredicted(bytes: Buffer, pixel: number, columns: number): Buffer {
  if (!(columns > 0 && columns <= bytes.length)) throw new BrokenCrossReference('impossible columns');
  const rows = Math.floor(bytes.length / (columns + 1));
  const plain = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row++) {
    const filter = bytes[row * (columns + 1)] as number;
    for (let column = 0; column < columns; column++) {
      const to = row * columns + column;
      const left = column >= pixel ? (plain[to - pixel] as number) : 0;
      const up = row > 0 ? (plain[to - columns] as number) : 0;
      const corner = row > 0 && column >= pixel ? (plain[to - columns - pixel] as number) : 0;
      const expected = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      if (expected === undefined) throw new BrokenCrossReference('an unknown row filter');
      plain[to] = (bytes[row * (columns + 1) + 1 + column] as number) + expected;
    }
  }
  return plain;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [byLeft, byUp, byCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** A value, or the only one of an array. */
function only(dict: PDFDict, key: string) {
  const value = dict.get(PDFName.of(key));
  if (!(value instanceof PDFArray)) return value;
  if (value.size() > 1) throw new BrokenCrossReference('several filters');
  return value.size() === 1 ? value.get(0) : undefined;
}

function integers(dict: PDFDict, key: string): number[] | undefined {
  const array = dict.get(PDFName.of(key));
  if (!(array instanceof PDFArray)) return undefined;
  return array.asArray().map((item) => {
    const value = item instanceof PDFNumber ? item.asNumber() : -1;
    if (!Number.isSafeInteger(value) || value < 0) throw new BrokenCrossReference(`/${key} is not of numbers`);
    return value;
  });
}

function numberOf(dict: PDFDict, key: string, otherwise: number): number {
  const value = dict.get(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : otherwise;
}
