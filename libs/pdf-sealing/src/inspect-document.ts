import { PDFDict, PDFName, PDFNull } from 'pdf-lib';
import type { PDFDocument, PDFObject } from 'pdf-lib';
import { forbiddenBy, isContinued } from './append/continuation.ts';
import { dictionaries } from './dictionaries.ts';
import { earlierSignatures } from './earlier-signatures.ts';
import type { EarlierSignatures } from './earlier-signatures.ts';
import { loadDocument } from './load-document.ts';
import type { LoadedDocument } from './load-document.ts';
import { pageTree } from './pages.ts';
import type { Page, PageTree } from './pages.ts';
import type { Placeholder } from './placeholder.ts';
import { pageOf, requireStart } from './placement.ts';
import { SealingFailure } from './sealing-failure.ts';
import type { TemplateReport, TemplateWarning } from './template-report.ts';

/** Reads a template as the sealing run will, and says what it will meet. Throws SealingFailure when it cannot be read at all. */
export async function inspectDocument(pdf: Buffer, placeholders: readonly Placeholder[]): Promise<TemplateReport> {
  const loaded = await loadDocument(pdf);
  const { document } = loaded;
  const tree = pageTree(document);
  const { pages } = tree;
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
  const earlier = earlierSignatures(document);
  const { width, height } = (pages[0] as Page).geometry;
  return {
    pageCount: pages.length,
    firstPage: { width, height },
    warnings: [
      ...outside,
      ...traits(document),
      ...(earlier.signed ? [{ code: 'already_signed' as const, detail: DETAIL.already_signed }] : []),
      ...unsealable(loaded, tree, earlier, placeholders.length > 0),
    ],
  };
}

/** A signed document that the sealing run will refuse: it cannot be changed without breaking what it proves. */
function unsealable(
  loaded: LoadedDocument,
  tree: PageTree,
  earlier: EarlierSignatures,
  draws: boolean,
): TemplateWarning[] {
  try {
    isContinued(loaded, tree, earlier);
  } catch (error) {
    if (error instanceof SealingFailure) return [{ code: 'invalid_pdf', detail: error.message }];
    throw error;
  }
  const forbidden = forbiddenBy(earlier, { draws, signs: true });
  return forbidden ? [{ code: 'invalid_pdf', detail: forbidden }] : [];
}

const DETAIL = {
  has_javascript: 'The document carries JavaScript, which stays in every sealed file; some readers warn of it.',
  has_xfa: 'The document carries an XFA form; readers that show it will not show the drawn values.',
  already_signed:
    'The document is already signed: what is drawn becomes a later revision, so the earlier signatures stay valid, for the document as it was.',
} as const;

function traits(document: PDFDocument): TemplateWarning[] {
  const found = new Set<'has_javascript' | 'has_xfa'>();
  const catalog = document.context.lookup(document.context.trailerInfo.Root);
  const form = catalog instanceof PDFDict ? catalog.lookup(PDFName.of('AcroForm')) : undefined;
  if (form instanceof PDFDict && present(form.lookup(PDFName.of('XFA')))) found.add('has_xfa');
  for (const dict of dictionaries(document)) if (runsJavaScript(dict)) found.add('has_javascript');
  return [...found].map((code) => ({ code, detail: DETAIL[code] }));
}

const present = (value: PDFObject | undefined) => value !== undefined && value !== PDFNull;

/** An action dictionary, or a name tree of scripts (ISO 32000-1, 12.6.4.16). */
function runsJavaScript(dict: PDFDict): boolean {
  if (dict.get(PDFName.of('S')) === PDFName.of('JavaScript')) return true;
  return dict.lookup(PDFName.of('JavaScript')) instanceof PDFDict;
}
