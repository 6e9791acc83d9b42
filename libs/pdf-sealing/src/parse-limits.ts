import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFObjectParser,
  PDFObjectStreamParser,
  PDFParser,
  PDFRawStream,
  PDFXRefStreamParser,
} from 'pdf-lib';
import type { PDFRef } from 'pdf-lib';
import { SealingFailure } from './sealing-failure.ts';
import { StreamLengths } from './stream-lengths.ts';

/** What one document may ask of the parser. A 25 MB file of an office program stays far below each. */
const PARSE_LIMITS = {
  /** Bytes of all object streams together, inflated. */
  inflatedBytes: 64 * 1024 * 1024,
  /** Objects of any kind, nested ones counted. */
  values: 4_000_000,
  /** Arrays and dictionaries inside each other. */
  depth: 256,
  /** Bytes of one field of a cross-reference stream (/W). */
  crossReferenceField: 8,
  /** Entries that a cross-reference stream claims (/Index, /Size). */
  crossReferenceEntries: 8_400_000,
};

/** The document being parsed. pdf-lib swallows what its parser throws, so a breach is kept here and thrown afterwards. */
interface Parsing {
  lengths: StreamLengths;
  values: number;
  depth: number;
  inflated: number;
  usedObjectStreams: boolean;
  /** Offset of the indirect object being parsed. */
  at: number;
  places: Map<number, number>;
  breach: SealingFailure | undefined;
}

/** What a parse saw beside its result. */
export interface Parsed<T> {
  result: T;
  usedObjectStreams: boolean;
  /** Offset of each object by its number, of the last one where the file has several; for one in an object stream, that stream's. */
  places: Map<number, number>;
}

let parsing: Parsing | undefined;

/**
 * Runs a parse of pdf-lib under PARSE_LIMITS. One at a time in a process: the parser gives no other way to know whose it is.
 * Throws SealingFailure too_complex when a limit is broken, whatever the parser made of it.
 */
export async function withinLimits<T>(pdf: Buffer, parse: () => Promise<T>): Promise<Parsed<T>> {
  const own: Parsing = {
    lengths: new StreamLengths(pdf),
    values: 0,
    depth: 0,
    inflated: 0,
    usedObjectStreams: false,
    at: 0,
    places: new Map(),
    breach: undefined,
  };
  parsing = own;
  try {
    const result = await parse();
    if (own.breach) throw own.breach;
    return { result, usedObjectStreams: own.usedObjectStreams, places: own.places };
  } catch (error) {
    throw own.breach ?? error;
  } finally {
    parsing = undefined;
  }
}

function breach(own: Parsing, sentence: string): never {
  own.breach ??= new SealingFailure('too_complex', sentence);
  throw own.breach;
}

const name = (text: string) => PDFName.of(text);

/** Every object passes here, at every depth. */
function limitObjects(): void {
  const parser = PDFObjectParser.prototype;
  const original = parser.parseObject;
  parser.parseObject = function (this: PDFObjectParser) {
    const own = parsing;
    if (!own) return original.call(this);
    if (own.breach) throw own.breach;
    if (++own.values > PARSE_LIMITS.values) breach(own, 'The document has too many objects.');
    if (own.depth >= PARSE_LIMITS.depth) breach(own, 'The document nests arrays or dictionaries too deeply.');
    own.depth++;
    try {
      return original.call(this);
    } finally {
      own.depth--;
    }
  };
}

/** Reads trailer members and leaves the entries: pdf-lib finds objects by scanning, and /W and /Index may lie. */
function limitCrossReferenceStreams(): void {
  const original = PDFXRefStreamParser.forStream;
  PDFXRefStreamParser.forStream = (stream) => {
    const own = parsing;
    if (!own) return original(stream);
    const { dict } = stream;
    const fields = numbers(dict, 'W');
    const claimed = numbers(dict, 'Index').filter((_, index) => index % 2 === 1);
    const size = dict.lookup(name('Size'));
    const entries = claimed.length > 0 ? claimed.reduce((sum, count) => sum + count, 0) : Number(size ?? 0);
    const hostile = (count: number, most: number) => !(count >= 0 && count <= most);
    if (fields.length > 3 || fields.some((bytes) => hostile(bytes, PARSE_LIMITS.crossReferenceField)))
      breach(own, 'The document has a cross-reference stream with impossible field widths.');
    if (claimed.some((count) => count < 0) || hostile(entries, PARSE_LIMITS.crossReferenceEntries))
      breach(own, 'The document has a cross-reference stream with impossibly many entries.');
    return { parseIntoContext: () => (keepTrailer(dict), []) } as unknown as PDFXRefStreamParser;
  };
}

function numbers(dict: PDFDict, key: string): number[] {
  const array = dict.lookup(name(key));
  if (!(array instanceof PDFArray)) return [];
  return array.asArray().flatMap((item) => (item instanceof PDFNumber ? [item.asNumber()] : []));
}

function keepTrailer(dict: PDFDict): void {
  const trailer = dict.context.trailerInfo;
  for (const key of ['Root', 'Encrypt', 'Info', 'ID'] as const) {
    const value = dict.get(name(key));
    if (value) trailer[key] = value;
  }
}

/** Inflates object streams natively and never past the limit; what is not plain Flate goes the parser's own way. */
function limitObjectStreams(): void {
  const original = PDFObjectStreamParser.forStream;
  PDFObjectStreamParser.forStream = (stream, shouldWaitForTick) => {
    const own = parsing;
    if (!own) return original(stream, shouldWaitForTick);
    own.usedObjectStreams = true;
    if (own.breach) throw own.breach;
    const parser = original(plainStream(own, stream), shouldWaitForTick);
    const { objectCount } = parser as unknown as { objectCount: number };
    if (!(objectCount >= 0 && objectCount <= PARSE_LIMITS.values))
      breach(own, 'The document has an object stream with impossibly many objects.');
    return parser;
  };
}

function plainStream(own: Parsing, stream: PDFRawStream): PDFRawStream {
  const filters = stream.dict.lookup(name('Filter'));
  const only = filters instanceof PDFArray && filters.size() === 1 ? filters.lookup(0) : filters;
  if (only !== name('FlateDecode')) {
    own.inflated += stream.contents.length;
    return stream;
  }
  const left = PARSE_LIMITS.inflatedBytes - own.inflated;
  try {
    const bytes = inflateSync(stream.contents, { maxOutputLength: Math.max(left, 1) });
    own.inflated += bytes.length;
    const members = stream.dict.asMap();
    members.delete(name('Filter'));
    members.delete(name('DecodeParms'));
    return PDFRawStream.of(PDFDict.fromMapWithContext(members, stream.dict.context), bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      breach(own, 'The document inflates to more than can be read.');
    return stream;
  }
}

/** Where a stream ends: pdf-lib knows only direct lengths, and else counts the word "stream" in the content. */
function knowStreamLengths(): void {
  const parser = PDFObjectParser.prototype as unknown as Scanning;
  const fallback = parser.findEndOfStreamFallback;
  parser.findEndOfStreamFallback = function (this: Scanning, start: unknown) {
    const own = parsing;
    if (!own || !own.lengths.covers(this.bytes.bytes)) return fallback.call(this, start);
    const end = own.lengths.endOfStream(this.bytes.offset());
    if (end === undefined) return fallback.call(this, start);
    this.bytes.moveTo(end.after);
    return end.content;
  };
}

interface Scanning {
  bytes: { bytes: Uint8Array; offset(): number; moveTo(offset: number): void };
  findEndOfStreamFallback(start: unknown): number;
}

/** pdf-lib finds objects by scanning the file: notes where it took each from. */
function noteObjectPlaces(): void {
  const parser = PDFParser.prototype as unknown as Scanning & { parseIndirectObjectHeader(): PDFRef };
  const header = parser.parseIndirectObjectHeader;
  parser.parseIndirectObjectHeader = function (this: typeof parser) {
    const offset = this.bytes.offset();
    const ref = header.call(this);
    if (parsing) {
      parsing.at = offset;
      parsing.places.set(ref.objectNumber, offset);
    }
    return ref;
  };
  const assign = PDFContext.prototype.assign;
  PDFContext.prototype.assign = function (this: PDFContext, ref, object) {
    if (parsing) parsing.places.set(ref.objectNumber, parsing.at);
    assign.call(this, ref, object);
  };
}

limitObjects();
limitCrossReferenceStreams();
limitObjectStreams();
knowStreamLengths();
noteObjectPlaces();
