import { PDFStream } from 'pdf-lib';
import type { PDFDocument } from 'pdf-lib';
import { dictionariesIn } from '../dictionaries.ts';
import type { Page } from '../pages.ts';
import { actionsIn, openAction } from './actions.ts';
import { contentSizes } from './content-size.ts';
import { embeddedFilesIn } from './embedded-files.ts';
import { readable } from './finding.ts';
import type { Finding } from './finding.ts';
import { Places } from './places.ts';
import { printLayers } from './print-layers.ts';
import { xfaIn } from './xfa.ts';

const HEADER = Buffer.from('%PDF-');

/**
 * Finds what a document contains in addition to its pages that acts, hides or differs. Every object of the file is inspected, whatever
 * leads to it, those of object streams included; what an earlier revision had and a later one replaced is gone.
 */
export function hazards(pdf: Buffer, document: PDFDocument, pages: readonly Page[]): Finding[] {
  const places = new Places(document, pages);
  return readable(found(pdf, document, pages, places));
}

function* found(pdf: Buffer, document: PDFDocument, pages: readonly Page[], places: Places): Generator<Finding> {
  if (!pdf.subarray(0, HEADER.length).equals(HEADER)) yield HEADER_NOT_FIRST;
  const { catalog } = places;
  if (catalog) {
    yield* openAction(catalog, places);
    yield* printLayers(catalog, places);
  }
  for (const [, owner] of document.context.enumerateIndirectObjects())
    for (const object of dictionariesIn(owner)) {
      const dict = object instanceof PDFStream ? object.dict : object;
      yield* actionsIn(dict, owner, places);
      yield* embeddedFilesIn(object, owner, places);
      yield* xfaIn(dict, places);
    }
  yield* contentSizes(document, pages, places);
}

const HEADER_NOT_FIRST: Finding = {
  code: 'header_not_first',
  detail:
    'The file does not begin with %PDF-: something stands before the document, which other programs may read as another kind of file. Remove it.',
};
