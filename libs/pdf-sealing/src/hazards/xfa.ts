import { PDFArray, PDFDict, PDFName, PDFNull, PDFStream } from 'pdf-lib';
import type { Finding } from './finding.ts';
import type { Places } from './places.ts';

const [XFA, FIELDS, FORM] = [PDFName.of('XFA'), PDFName.of('Fields'), PDFName.of('AcroForm')];
const DETAIL = 'The document carries an XFA form; readers that show it will not show the drawn values. Remove it.';

/** A form in XML in addition to the one of the pages: in the catalog's form, or in a dictionary that is one by its fields. */
export function* xfaIn(dict: PDFDict, places: Places): Generator<Finding> {
  const xfa = places.resolve(dict.get(XFA));
  if (xfa === undefined || xfa === PDFNull) return;
  const isForm = dict === places.resolve(places.catalog?.get(FORM));
  const looksLikeForm = dict.has(FIELDS) && (xfa instanceof PDFArray || xfa instanceof PDFStream);
  if (isForm || looksLikeForm) yield { code: 'has_xfa', detail: DETAIL };
}
