import { PDFArray, PDFDict, PDFStream } from 'pdf-lib';
import type { PDFDocument, PDFObject } from 'pdf-lib';

/** Every dictionary of a document, those inside other objects included. Depth is bounded by the parser. */
export function* dictionaries({ context }: PDFDocument): Generator<PDFDict> {
  for (const [, object] of context.enumerateIndirectObjects())
    for (const part of dictionariesIn(object)) yield part instanceof PDFStream ? part.dict : part;
}

/** Every dictionary, or stream with its own, of an object. */
export function* dictionariesIn(object: PDFObject): Generator<PDFDict | PDFStream> {
  const members = object instanceof PDFStream ? object.dict : object;
  if (members instanceof PDFDict) {
    yield object instanceof PDFStream ? object : members;
    for (const value of members.values()) if (isContainer(value)) yield* dictionariesIn(value);
  } else if (members instanceof PDFArray) {
    for (const value of members.asArray()) if (isContainer(value)) yield* dictionariesIn(value);
  }
}

const isContainer = (value: PDFObject) => value instanceof PDFDict || value instanceof PDFArray;
