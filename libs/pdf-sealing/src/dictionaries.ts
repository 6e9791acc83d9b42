import { PDFArray, PDFDict, PDFStream } from 'pdf-lib';
import type { PDFDocument, PDFObject } from 'pdf-lib';

/** Every dictionary of a document, those inside other objects included. Depth is bounded by the parser. */
export function* dictionaries({ context }: PDFDocument): Generator<PDFDict> {
  for (const [, object] of context.enumerateIndirectObjects()) yield* within(object);
}

function* within(object: PDFObject): Generator<PDFDict> {
  const dict = object instanceof PDFStream ? object.dict : object;
  if (dict instanceof PDFDict) {
    yield dict;
    for (const value of dict.values()) if (isContainer(value)) yield* within(value);
  } else if (dict instanceof PDFArray) {
    for (const value of dict.asArray()) if (isContainer(value)) yield* within(value);
  }
}

const isContainer = (value: PDFObject) => value instanceof PDFDict || value instanceof PDFArray;
