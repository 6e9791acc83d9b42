import { PDFDocument, PDFNull } from 'pdf-lib';
import type { PDFRef } from 'pdf-lib';
import { incompleteness } from './completeness.ts';
import { withinLimits } from './parse-limits.ts';
import { SealingFailure } from './sealing-failure.ts';

/** As at upload. */
const MOST_BYTES = 25 * 1024 * 1024;
/** ISO 32000-1, annex C: 8,388,607 objects; some writers number on. */
const HIGHEST_OBJECT_NUMBER = 0x7fffffff;

export interface LoadedDocument {
  document: PDFDocument;
  /** Written back the same way: without them a file of many small objects grows several times over. */
  usedObjectStreams: boolean;
}

/** Parses a whole, unencrypted PDF within PARSE_LIMITS. Throws SealingFailure. */
export async function loadDocument(pdf: Buffer): Promise<LoadedDocument> {
  if (pdf.length > MOST_BYTES) throw new SealingFailure('too_complex', 'The document is larger than 25 MB.');
  const cut = incompleteness(pdf);
  if (cut) throw new SealingFailure('invalid_pdf', cut);
  const { result: document, usedObjectStreams } = await withinLimits(pdf, () => parse(pdf));
  const encrypt = document.context.trailerInfo.Encrypt;
  if (encrypt !== undefined && encrypt !== PDFNull)
    throw new SealingFailure('encrypted_pdf', 'The document is encrypted: remove its password and restrictions first.');
  keepLatestGenerations(document);
  return { document, usedObjectStreams };
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
