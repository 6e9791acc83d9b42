import { PDFDocument, PDFName, PDFNull, PDFNumber, PDFRawStream } from 'pdf-lib';
import type { PDFRef } from 'pdf-lib';
import { readCrossReference } from './append/cross-reference.ts';
import type { CrossReference } from './append/cross-reference.ts';
import { incompleteness } from './completeness.ts';
import { withinLimits } from './parse-limits.ts';
import { SealingFailure } from './sealing-failure.ts';

/** As at upload. */
const MOST_BYTES = 25 * 1024 * 1024;
/** ISO 32000-1, annex C: 8,388,607 objects; some writers number on. */
const HIGHEST_OBJECT_NUMBER = 0x7fffffff;
/** The parser may take the line end before `endstream` for content, or not. */
const LINE_END_BYTES = 2;

export interface LoadedDocument {
  document: PDFDocument;
  /** Written back the same way: without them a file of many small objects grows several times over. */
  usedObjectStreams: boolean;
  /** How readers find the objects; undefined where they have to guess, since the file's own table is damaged. */
  crossReference: CrossReference | undefined;
  /** Whether each stream is as long as it says: readers lose what comes after a lie. */
  lengthsAreTrue: boolean;
}

/** Parses a whole, unencrypted PDF within PARSE_LIMITS. Throws SealingFailure. */
export async function loadDocument(pdf: Buffer): Promise<LoadedDocument> {
  if (pdf.length > MOST_BYTES) throw new SealingFailure('too_complex', 'The document is larger than 25 MB.');
  const cut = incompleteness(pdf);
  if (cut) throw new SealingFailure('invalid_pdf', cut);
  const { result, usedObjectStreams, places } = await withinLimits(pdf, async () => ({
    document: await parse(pdf),
    read: crossReferenceOf(pdf),
  }));
  const { document, read } = result;
  const encrypt = document.context.trailerInfo.Encrypt;
  if (encrypt !== undefined && encrypt !== PDFNull)
    throw new SealingFailure('encrypted_pdf', 'The document is encrypted: remove its password and restrictions first.');
  keepLatestGenerations(document);
  const crossReference = read && agrees(read, document, places, pdf) ? read : undefined;
  if (crossReference) seeAsReaders(document, crossReference);
  return { document, usedObjectStreams, crossReference, lengthsAreTrue: lengthsAreTrue(document) };
}

function crossReferenceOf(pdf: Buffer): CrossReference | undefined {
  try {
    return readCrossReference(pdf);
  } catch (error) {
    if (error instanceof SealingFailure || error instanceof RangeError) throw error;
    return undefined;
  }
}

/** Whether the table leads to each object where the scan of the file found it last. */
function agrees(
  { entries }: CrossReference,
  { context }: PDFDocument,
  places: Map<number, number>,
  pdf: Buffer,
): boolean {
  for (const [ref] of context.enumerateIndirectObjects()) {
    const entry = entries.get(ref.objectNumber);
    if (entry && (entry.kind === 'plain' ? entry.generation : 0) !== ref.generationNumber) return false;
  }
  for (const [number, entry] of entries) {
    const place = places.get(number);
    if (place === undefined) return false;
    if (entry.kind === 'packed' ? place !== places.get(entry.stream) : !leads(pdf, entry.offset, place)) return false;
  }
  return true;
}

/** An offset may be that of white space before the object. */
function leads(pdf: Buffer, offset: number, place: number): boolean {
  return (
    offset === place ||
    (offset < place && place - offset <= 8 && /^[\s\0]+$/.test(pdf.toString('latin1', offset, place)))
  );
}

function lengthsAreTrue({ context }: PDFDocument): boolean {
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    const length = object.dict.lookup(PDFName.of('Length'));
    const stated = length instanceof PDFNumber ? length.asNumber() : -1;
    if (!(Math.abs(stated - object.contents.length) <= LINE_END_BYTES)) return false;
  }
  return true;
}

/** Forgets what the table does not name (objects that were freed), and begins where the last section says. */
function seeAsReaders({ context }: PDFDocument, { entries, trailer }: CrossReference): void {
  for (const [ref] of context.enumerateIndirectObjects()) {
    if (!entries.has(ref.objectNumber)) context.delete(ref);
  }
  const root = trailer.get(PDFName.of('Root'));
  if (root) context.trailerInfo.Root = root;
}

async function parse(pdf: Buffer): Promise<PDFDocument> {
  try {
    return await PDFDocument.load(pdf, { ignoreEncryption: true, parseSpeed: Infinity, updateMetadata: false });
  } catch (error) {
    if (error instanceof SealingFailure) throw error;
    throw new SealingFailure('invalid_pdf', 'The document cannot be read as a PDF.');
  }
}

/** An object number that was freed and used again stands in the file in both generations; only the later one is an object. */
function keepLatestGenerations(document: PDFDocument): void {
  const { context } = document;
  if (context.largestObjectNumber > HIGHEST_OBJECT_NUMBER)
    throw new SealingFailure('invalid_pdf', 'The document has an impossible object number.');
  const latest = new Map<number, PDFRef>();
  for (const [ref] of context.enumerateIndirectObjects()) {
    const other = latest.get(ref.objectNumber);
    if (!other) latest.set(ref.objectNumber, ref);
    else if (other.generationNumber < ref.generationNumber) {
      context.delete(other);
      latest.set(ref.objectNumber, ref);
    } else context.delete(ref);
  }
}
