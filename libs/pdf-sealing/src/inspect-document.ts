import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNull, PDFStream, PDFString } from 'pdf-lib';
import type { PDFDocument, PDFObject } from 'pdf-lib';
import { loadDocument } from './load-document.ts';
import { pageTree } from './pages.ts';
import type { Placeholder } from './placeholder.ts';
import { pageOf, requireStart } from './placement.ts';
import { SealingFailure } from './sealing-failure.ts';
import type { TemplateReport, TemplateWarning } from './template-report.ts';

/** Reads a template as the sealing run will, and says what it will meet. Throws SealingFailure when it cannot be read at all. */
export async function inspectDocument(pdf: Buffer, placeholders: readonly Placeholder[]): Promise<TemplateReport> {
  const { document } = await loadDocument(pdf);
  const { pages } = pageTree(document);
  const outside = placeholders.flatMap((placeholder): TemplateWarning[] => {
    try {
      const { width, height } = pageOf(placeholder, pages).geometry;
      requireStart(placeholder, { name: `page ${placeholder.page}`, width, height });
      return [];
    } catch (error) {
      if (error instanceof SealingFailure) return [{ code: 'placeholder_outside_page', detail: error.message }];
      throw error;
    }
  });
  return { pageCount: pages.length, warnings: [...outside, ...traits(document)] };
}

const DETAIL = {
  has_javascript: 'The document carries JavaScript, which stays in every sealed file; some readers warn of it.',
  has_xfa: 'The document carries an XFA form; readers that show it will not show the drawn values.',
  already_signed:
    'The document is already signed: what is drawn becomes a later revision, so the earlier signatures stay valid, for the document as it was.',
} as const;

function traits(document: PDFDocument): TemplateWarning[] {
  const found = new Set<keyof typeof DETAIL>();
  const catalog = document.context.lookup(document.context.trailerInfo.Root);
  const form = catalog instanceof PDFDict ? catalog.lookup(PDFName.of('AcroForm')) : undefined;
  if (form instanceof PDFDict && present(form.lookup(PDFName.of('XFA')))) found.add('has_xfa');
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    for (const dict of dictionaries(object)) {
      if (runsJavaScript(dict)) found.add('has_javascript');
      if (isSignature(dict)) found.add('already_signed');
    }
  }
  return [...found].map((code) => ({ code, detail: DETAIL[code] }));
}

/** Whether a signature stands anywhere in the document. */
export function isSigned(document: PDFDocument): boolean {
  for (const [, object] of document.context.enumerateIndirectObjects())
    for (const dict of dictionaries(object)) if (isSignature(dict)) return true;
  return false;
}

const present = (value: PDFObject | undefined) => value !== undefined && value !== PDFNull;

/** An action dictionary, or a name tree of scripts (ISO 32000-1, 12.6.4.16). */
function runsJavaScript(dict: PDFDict): boolean {
  if (dict.get(PDFName.of('S')) === PDFName.of('JavaScript')) return true;
  return dict.lookup(PDFName.of('JavaScript')) instanceof PDFDict;
}

/** A signature dictionary: what it covers, and the signature (ISO 32000-1, table 252). */
function isSignature(dict: PDFDict): boolean {
  const contents = dict.lookup(PDFName.of('Contents'));
  return (
    dict.lookup(PDFName.of('ByteRange')) instanceof PDFArray &&
    (contents instanceof PDFHexString || contents instanceof PDFString)
  );
}

/** The dictionaries of an indirect object, nested ones included. Depth is bounded by the parser. */
function* dictionaries(object: PDFObject): Generator<PDFDict> {
  const dict = object instanceof PDFStream ? object.dict : object;
  if (dict instanceof PDFDict) {
    yield dict;
    for (const value of dict.values()) if (isContainer(value)) yield* dictionaries(value);
  } else if (dict instanceof PDFArray) {
    for (const value of dict.asArray()) if (isContainer(value)) yield* dictionaries(value);
  }
}

const isContainer = (value: PDFObject) => value instanceof PDFDict || value instanceof PDFArray;
