import type { PDFDocument } from 'pdf-lib';
import { forbiddenBy, isContinued } from './append/continuation.ts';
import { notVisible, PageContents } from './append/page-content.ts';
import { earlierSignatures } from './earlier-signatures.ts';
import type { EarlierSignatures } from './earlier-signatures.ts';
import { hazards } from './hazards/hazards.ts';
import { loadDocument } from './load-document.ts';
import type { LoadedDocument } from './load-document.ts';
import { contentsOf } from './page-streams.ts';
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
      ...hazards(pdf, document, pages),
      ...(earlier.signed ? [ALREADY_SIGNED] : []),
      ...unsealable(loaded, tree, earlier, placeholders.length > 0),
      ...hidden(document, pages, placeholders),
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

const ALREADY_SIGNED: TemplateWarning = {
  code: 'already_signed',
  detail:
    'The document is already signed: what is drawn becomes a later revision, so the earlier signatures stay valid, for the document as it was.',
};

/** Pages with placeholders on which nothing that is drawn would be visible in every reader. */
function hidden(
  document: PDFDocument,
  pages: readonly Page[],
  placeholders: readonly Placeholder[],
): TemplateWarning[] {
  const drawn = new Set(placeholders.map(({ page }) => page));
  const contents = new PageContents();
  return pages.flatMap((page, nth): TemplateWarning[] => {
    if (drawn.size === 0) return [];
    const content = contents.of(contentsOf(page, document));
    if (content.kind !== 'unusable' || !drawn.has(nth + 1)) return [];
    return [{ code: 'invalid_pdf', detail: notVisible(nth + 1, content.reason) }];
  });
}
