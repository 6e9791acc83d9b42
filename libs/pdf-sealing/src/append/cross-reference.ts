import { PDFContext, PDFDict, PDFName, PDFNull, PDFNumber, PDFObjectParser, PDFRawStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';
import { BrokenCrossReference, crossReferenceRows } from './cross-reference-stream.ts';
import type { Entry } from './cross-reference-stream.ts';

/** What a reader knows of a file before it looks at any object: ISO 32000-1, 7.5.4 to 7.5.8. */
export interface CrossReference {
  /** Form of the last section: an update continues in it. */
  kind: 'table' | 'stream';
  /** Offset of the last section. */
  startXref: number;
  /** A number above every object's. */
  size: number;
  /** Of the last section. */
  trailer: PDFDict;
  /** Objects in use. The newest section that knows a number wins. */
  entries: Map<number, Entry>;
}

const MOST_SECTIONS = 10_000;
/** Of all sections together. */
const MOST_ROWS = 8_400_000;
const HIGHEST_OBJECT_NUMBER = 8_388_607;
const SPACE = /[\s\0]*/y;
const START_XREF = Buffer.from('startxref');
const TRAILER = Buffer.from('trailer');
/** Bytes that are looked at before an object's dictionary. */
const OBJECT_HEADER_BYTES = 64;

/** Reads the chain of cross-reference sections, newest first, as a reader does. Throws BrokenCrossReference. */
export function readCrossReference(pdf: Buffer): CrossReference {
  if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new BrokenCrossReference('offsets are not from byte 0');
  const startXref = startOf(pdf);
  const sections = new Sections(pdf);
  const first = sections.read(startXref);
  const seen = new Set([startXref]);
  for (let previous = first.previous; previous !== undefined;) {
    if (seen.has(previous) || seen.size > MOST_SECTIONS) throw new BrokenCrossReference('sections in a circle');
    seen.add(previous);
    previous = sections.read(previous).previous;
  }
  const { entries } = sections;
  const highest = [...entries.keys()].reduce((most, number) => Math.max(most, number), 0);
  const size = Math.max(numberIn(first.trailer, 'Size') ?? 0, highest + 1);
  if (size > HIGHEST_OBJECT_NUMBER) throw new BrokenCrossReference('object numbers are used up');
  return { kind: first.kind, startXref, size, trailer: first.trailer, entries: inUse(entries) };
}

function startOf(pdf: Buffer): number {
  const at = pdf.lastIndexOf(START_XREF);
  const offset = /^[\s\0]*(\d{1,10})/.exec(pdf.toString('latin1', at + 9, at + 80))?.[1];
  if (at < 0 || offset === undefined) throw new BrokenCrossReference('no startxref');
  return Number(offset);
}

interface Section {
  kind: CrossReference['kind'];
  trailer: PDFDict;
  previous: number | undefined;
}

class Sections {
  readonly entries = new Map<number, Entry | null>();
  private readonly context = PDFContext.create();
  private rows = 0;

  constructor(private readonly pdf: Buffer) {}

  read(offset: number): Section {
    if (offset >= this.pdf.length) throw new BrokenCrossReference('a section outside the file');
    const head = this.pdf.toString('latin1', offset, offset + OBJECT_HEADER_BYTES);
    const kind = /^[\s\0]*xref/.test(head) ? 'table' : 'stream';
    const trailer = kind === 'table' ? this.readTable(offset) : this.readStream(offset, head);
    return { kind, trailer, previous: numberIn(trailer, 'Prev') };
  }

  /** In a hybrid file the table calls free what only its /XRefStm knows: the stream is asked between the two. */
  private readTable(offset: number): PDFDict {
    const end = this.pdf.indexOf(TRAILER, offset);
    if (end < 0) throw new BrokenCrossReference('a table without a trailer');
    const trailer = this.parse(end + TRAILER.length);
    if (!(trailer instanceof PDFDict)) throw new BrokenCrossReference('a trailer that is no dictionary');
    const rows = tableRows(this.pdf.toString('latin1', offset, end));
    for (const [number, entry] of rows) if (entry) this.know(number, entry);
    const hybrid = numberIn(trailer, 'XRefStm');
    if (hybrid !== undefined)
      this.readStream(hybrid, this.pdf.toString('latin1', hybrid, hybrid + OBJECT_HEADER_BYTES));
    for (const [number, entry] of rows) if (!entry) this.know(number, null);
    return trailer;
  }

  private readStream(offset: number, head: string): PDFDict {
    const header = /^[\s\0]*\d+[\s\0]+\d+[\s\0]+obj/.exec(head);
    const stream = header && this.parse(offset + header[0].length);
    if (!(stream instanceof PDFRawStream) || stream.dict.get(PDFName.of('Type')) !== PDFName.of('XRef'))
      throw new BrokenCrossReference('no section at its offset');
    for (const [number, entry] of crossReferenceRows(stream)) this.know(number, entry);
    return stream.dict;
  }

  private know(number: number, entry: Entry | null): void {
    if (++this.rows > MOST_ROWS) throw new BrokenCrossReference('too many entries');
    if (!this.entries.has(number)) this.entries.set(number, entry);
  }

  private parse(offset: number): PDFObject {
    const parser = PDFObjectParser.forBytes(this.pdf, this.context);
    (parser as unknown as { bytes: { moveTo(offset: number): void } }).bytes.moveTo(offset);
    return parser.parseObject();
  }
}

/** The rows of a table; null for a free number. */
function tableRows(text: string): Map<number, Entry | null> {
  const rows = new Map<number, Entry | null>();
  let at = text.indexOf('xref') + 4;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (let head = take(/[\s\0]*(\d{1,10})[ ]+(\d{1,10})/y); head; head = take(/[\s\0]*(\d{1,10})[ ]+(\d{1,10})/y)) {
    const [first, count] = [Number(head[1]), Number(head[2])];
    for (let number = first; number < first + count; number++) {
      const row = take(ROW);
      if (!row) throw new BrokenCrossReference('a table that is too short');
      const offset = Number(row[1]);
      const used = row[3] === 'n' && offset > 0;
      rows.set(number, used ? { kind: 'plain', offset, generation: Number(row[2]) } : null);
    }
  }
  take(SPACE);
  if (at !== text.length) throw new BrokenCrossReference('a table with something else in it');
  return rows;
}

const ROW = /[\s\0]*(\d{1,10}) (\d{1,5}) ([nf])/y;

function inUse(entries: Map<number, Entry | null>): Map<number, Entry> {
  const used = new Map<number, Entry>();
  for (const [number, entry] of entries) if (entry) used.set(number, entry);
  return used;
}

function numberIn(dict: PDFDict, key: string): number | undefined {
  const value = dict.get(PDFName.of(key));
  if (value === undefined || value === PDFNull) return undefined;
  if (!(value instanceof PDFNumber) || !Number.isSafeInteger(value.asNumber()) || value.asNumber() < 0)
    throw new BrokenCrossReference(`/${key} is no position`);
  return value.asNumber();
}
