import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import type { PDFDocument } from 'pdf-lib';
import { dictionaries } from './dictionaries.ts';

/**
 * What a certification (DocMDP) permits afterwards without breaking: 1 nothing, 2 forms and signatures, 3 comments as well (ISO 32000-1,
 * table 254). Drawing on a page and adding pages is permitted by none.
 */
export type CertificationLevel = 1 | 2 | 3;

/** The signatures that a document has already. */
export interface EarlierSignatures {
  signed: boolean;
  /** The strictest, where there are several. */
  certified: CertificationLevel | undefined;
}

export function earlierSignatures(document: PDFDocument): EarlierSignatures {
  const found: EarlierSignatures = { signed: false, certified: undefined };
  for (const dict of dictionaries(document)) {
    if (!isSignature(dict)) continue;
    found.signed = true;
    for (const level of levelsOf(dict)) if (!found.certified || level < found.certified) found.certified = level;
  }
  return found;
}

/** A signature dictionary: what it covers, and the signature (ISO 32000-1, table 252). */
function isSignature(dict: PDFDict): boolean {
  if (!dict.has(PDFName.of('ByteRange'))) return false;
  const contents = dict.lookup(PDFName.of('Contents'));
  return (
    dict.lookup(PDFName.of('ByteRange')) instanceof PDFArray &&
    (contents instanceof PDFHexString || contents instanceof PDFString)
  );
}

/** Of the signature itself, and (PDF 2.0) of a signature that locks the document beside its fields. */
function* levelsOf(signature: PDFDict): Generator<CertificationLevel> {
  const references = signature.lookup(PDFName.of('Reference'));
  if (!(references instanceof PDFArray)) return;
  for (let nth = 0; nth < references.size(); nth++) {
    const reference = references.lookup(nth);
    if (!(reference instanceof PDFDict)) continue;
    const method = reference.lookup(PDFName.of('TransformMethod'));
    const parameters = reference.lookup(PDFName.of('TransformParams'));
    const permitted = parameters instanceof PDFDict ? parameters.lookup(PDFName.of('P')) : undefined;
    const locks = method === PDFName.of('FieldMDP') && permitted instanceof PDFNumber;
    if (method !== PDFName.of('DocMDP') && !locks) continue;
    const level = permitted instanceof PDFNumber ? permitted.asNumber() : 2;
    yield level === 1 || level === 3 ? level : 2;
  }
}
